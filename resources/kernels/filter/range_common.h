// Shared by the kernels of means weighted by likeness; included after filter_store.h.
//
// Defined before: REACH_X, REACH_Y, REACH_Z, PATCH_X, PATCH_Y, PATCH_Z, COMPONENTS, ROUND (1: REAL is f32, and outputs
// are integers that equal those of double precision: a mean lies within error_share * its mean magnitude of differences
// and four unit roundoffs; where the ends of that range round differently, it is made again).
#define FINITE(number) ((number) - (number) == (REAL)0)
#if ROUND
#define EXACT_PARAMETERS GLOBAL const f64 *RESTRICT exact_exponents, f64 exact_scale, f64 exact_floor, f64 error_share,
#define MEAN(middle, slice, pitch, center, weights, differences, magnitudes)                                 \
  rounded_mean(middle, slice, pitch, center, weights, differences, magnitudes, exact_exponents, exact_scale, \
               exact_floor, error_share)

// In double precision, straight from the formula.
FUNCTION f64 exact_mean(GLOBAL const REAL* middle, i64 slice, i32 pitch, GLOBAL const f64* exponents, f64 scale,
                        f64 floor_of_squares) {
  f64 weights = 1, differences = 0;
#pragma unroll 1
  for (i32 k = -REACH_Z; k <= REACH_Z; ++k)
#pragma unroll 1
    for (i32 j = -REACH_Y; j <= REACH_Y; ++j)
#pragma unroll 1
      for (i32 i = -REACH_X; i <= REACH_X; ++i, ++exponents) {
        if (i == 0 && j == 0 && k == 0) continue;
        GLOBAL const REAL* other = middle + k * slice + (i64)j * pitch + i * COMPONENTS;
        f64 squares = 0;
#pragma unroll 1
        for (i32 c = -PATCH_Z; c <= PATCH_Z; ++c)
#pragma unroll 1
          for (i32 b = -PATCH_Y; b <= PATCH_Y; ++b)
#pragma unroll 1
            for (i32 a = -PATCH_X; a <= PATCH_X; ++a) {
              const i64 at = c * slice + (i64)b * pitch + a * COMPONENTS;
              const f64 scaled = ((f64)other[at] - (f64)middle[at]) * scale;
              squares += scaled * scaled;
            }
        if (!(squares - squares == 0)) continue;
        const f64 weight = exp2(*exponents - fmax(squares - floor_of_squares, (f64)0));
        weights += weight;
        differences += weight * ((f64)*other - (f64)*middle);
      }
  return (f64)*middle + differences / weights;
}

// An integer, as a number that rounded_element() leaves as it is.
FUNCTION REAL rounded_mean(GLOBAL const REAL* middle, i64 slice, i32 pitch, REAL center, REAL weights, REAL differences,
                           REAL magnitudes, GLOBAL const f64* exponents, f64 scale, f64 floor_of_squares,
                           f64 error_share) {
  const f64 mean = (f64)center + (f64)differences / (f64)weights;
  const f64 error = error_share * (f64)magnitudes / (f64)weights + fabs(mean) * 0x1p-22 + 0x1p-18;
  const f64 result = floor(mean - error + ROUNDING_OFFSET);
  if (result == floor(mean + error + ROUNDING_OFFSET)) return (REAL)result;
  return (REAL)floor(exact_mean(middle, slice, pitch, exponents, scale, floor_of_squares) + ROUNDING_OFFSET);
}
#else
#define EXACT_PARAMETERS
#define MEAN(middle, slice, pitch, center, weights, differences, magnitudes) ((center) + (differences) / (weights))
#endif
