// The stores of kernels whose work items hold several adjacent sums. Included after filter_store.h.
//
// Defined before: TX (sums of a work item along x, a multiple of VEC), ALIGNED (1: rows of the output and blocks of
// outputs are aligned to whole vectors).
#define ELEMENT(vector, index) (((REAL*)&(vector))[index])

// Stores TX sums, beginning at column x0; columns from `width` on do not exist and are skipped.
FUNCTION void store_sums(const REAL* sums, GLOBAL OUT* row, i32 x0, i32 width, u32* lost) {
#if ALIGNED && OUT_IS_REAL
  if (x0 + TX <= width) {
#pragma unroll
    for (i32 t = 0; t < TX; t += VEC) {
      VREAL value;
#pragma unroll
      for (i32 e = 0; e < VEC; ++e) ELEMENT(value, e) = sums[t + e];
      VSTORE_STREAM(value, row + x0 + t);
    }
    return;
  }
#endif
#pragma unroll
  for (i32 t = 0; t < TX; ++t)
    if (x0 + t < width) row[x0 + t] = rounded_element(sums[t], lost);
}
