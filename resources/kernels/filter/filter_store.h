// The stores of the filter kernels' sums; included after a prelude.
//
// Defined before: OUT (element type of the destination), OUT_INTEGER (1 for integer types), OUT_LOW, OUT_HIGH (their
// range), ROUNDING_OFFSET (added before rounding down), OUT_IS_REAL (1: OUT is REAL), ACCUMULATE (1: adds the partial
// sums in `sum`, which has the layout of the destination), PADDED (1: the last vector of a row may be written whole),
// ALIGNED_ROWS (1: rows of the destination begin at multiples of VEC elements).
#if ALIGNED_ROWS
#define LOAD_SUM(pointer) VLOAD_ALIGNED(pointer)
#define STORE_REAL(value, pointer) VSTORE_ALIGNED(value, pointer)
#else
#define LOAD_SUM(pointer) VLOAD(pointer)
#define STORE_REAL(value, pointer) VSTORE(value, pointer)
#endif
#if OUT_INTEGER
// The same as core/volume/element_type.h: rounds to nearest, with ties and values up to 2^-20 below them rounded up,
// then clamps to the range and counts what was outside in `saturated`; NaN gives 0.
FUNCTION OUT rounded_element(REAL value, u32* saturated) {
  const REAL rounded = floor(value + (REAL)ROUNDING_OFFSET);
  if (!(rounded >= (REAL)OUT_LOW && rounded <= (REAL)OUT_HIGH)) *saturated += 1;
  if (rounded != rounded) return (OUT)0;
  return (OUT)fmin(fmax(rounded, (REAL)OUT_LOW), (REAL)OUT_HIGH);
}
FUNCTION void store_rounded(VREAL value, GLOBAL OUT* row, u32* saturated) {
  const VREAL rounded = VFLOOR(VADD(value, VALL((REAL)ROUNDING_OFFSET)));
  *saturated += (u32)(VEC - VINSIDE(rounded, (REAL)OUT_LOW, (REAL)OUT_HIGH));
  VSTORE_AS(OUT, VCLAMP(VZERO_NAN(rounded), (REAL)OUT_LOW, (REAL)OUT_HIGH), row);
}
#else
#define rounded_element(value, saturated) ((OUT)(value))
#define store_rounded(value, row, saturated) VSTORE_AS(OUT, value, row)
#endif

// Stores a vector of sums at element `l` of a row of `length` elements.
FUNCTION void store_vector(VREAL value, GLOBAL OUT* row, GLOBAL const REAL* sum, i32 l, i32 length, u32* saturated) {
  const i32 full = PADDED || l + VEC <= length;
  REAL lane[VEC];
#if ACCUMULATE
  if (full) {
    value = VADD(LOAD_SUM(sum + l), value);
  } else {
    VSTORE(value, lane);
    for (i32 i = 0; l + i < length; ++i) lane[i] = sum[l + i] + lane[i];
    value = VLOAD(lane);
  }
#endif
  if (full) {
#if OUT_IS_REAL
    STORE_REAL(value, row + l);
#else
    store_rounded(value, row + l, saturated);
#endif
    return;
  }
  VSTORE(value, lane);
  for (i32 i = 0; l + i < length; ++i) row[l + i] = rounded_element(lane[i], saturated);
}
