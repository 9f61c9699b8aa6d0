// Shared by the kernels of the wavelet transform, which compute one level along one axis: pairs in, pairs out.
//
// Defined before: AXIS (0 x, 1 y, 2 z), FORWARD (1 or 0), TERMS, OFFSET and PHASE of the polyphase form
// (core/wavelet/wavelet.h), TAPS_U and TAPS_V (2 * TERMS numbers each), and as 1 or 0
//   EXTENDED      the source is smaller than the level; its last elements are repeated
//   SPLIT_SOURCE  elements with all coordinates below half the level's extents are in `averages_in`, others in `source`
//   SPLIT_TARGET  the same for the results, in `averages_out` and `target`
// The averages between two levels have no padding between rows; other arrays have the strides of the workload's arrays.
CONSTANT_TABLE REAL taps_u[] = {TAPS_U};
CONSTANT_TABLE REAL taps_v[] = {TAPS_V};

#define DWT_PARAMETERS                                                                                            \
  GLOBAL const REAL *source, GLOBAL const REAL *averages_in, GLOBAL REAL *target, GLOBAL REAL *averages_out,       \
      i64 source_row, i64 source_slice, i64 in_row, i64 in_slice, i64 target_row, i64 target_slice, i64 out_row,   \
      i64 out_slice, i32 nx, i32 ny, i32 nz, i32 corner_x, i32 corner_y, i32 corner_z, i32 present_x,              \
      i32 present_y, i32 present_z, i32 first, i32 count

#if EXTENDED
#define SOURCE_ELEMENT(x, y, z) \
  source[min(z, present_z - 1) * source_slice + min(y, present_y - 1) * source_row + min(x, present_x - 1)]
#else
#define SOURCE_ELEMENT(x, y, z) source[(z) * source_slice + (y) * source_row + (x)]
#endif
#if SPLIT_SOURCE
#define READ(x, y, z)                                                                                       \
  ((x) < corner_x && (y) < corner_y && (z) < corner_z ? averages_in[(z) * in_slice + (y) * in_row + (x)]   \
                                                      : SOURCE_ELEMENT(x, y, z))
#else
#define READ(x, y, z) SOURCE_ELEMENT(x, y, z)
#endif
#if SPLIT_TARGET
#define WRITE(x, y, z, value)                                                                                \
  if ((x) < corner_x && (y) < corner_y && (z) < corner_z)                                                   \
    averages_out[(z) * out_slice + (y) * out_row + (x)] = value;                                            \
  else                                                                                                      \
    target[(z) * target_slice + (y) * target_row + (x)] = value
#else
#define WRITE(x, y, z, value) target[(z) * target_slice + (y) * target_row + (x)] = value
#endif

// The place of member m (0 or 1) of pair p on an axis of n elements: neighbor() for pairs of adjacent samples, band()
// for pairs of a low and a high coefficient.
FUNCTION i32 neighbor(i32 p, i32 m, i32 n) {
  const i32 sample = 2 * p - PHASE + m;
  return sample < 0 ? sample + n : sample;
}
FUNCTION i32 band(i32 p, i32 m, i32 n) { return p + m * (n / 2); }
#if FORWARD
#define SOURCE_PLACE neighbor
#define TARGET_PLACE band
#else
#define SOURCE_PLACE band
#define TARGET_PLACE neighbor
#endif
FUNCTION i32 wrapped(i32 p, i32 pairs) {
  p %= pairs;
  return p < 0 ? p + pairs : p;
}
