// The stores of the bank's vector rungs: CHANNELS adjacent results of one voxel, from PARTS vectors. counted: 1 for a
// voxel of the image, 0 for one in the padding of a row, whose saturated results must not be counted.
FUNCTION void store_channels(const VREAL* sums, GLOBAL OUT* voxel, GLOBAL u32* saturated, u32 counted) {
#if OUT_INTEGER
  for (i32 p = 0; p < PARTS; ++p) {
    REAL lane[VEC];
    VSTORE(sums[p], lane);
    for (i32 i = 0; i < VEC; ++i) {
      u32 lost = 0;
      voxel[p * VEC + i] = rounded_element(lane[i], &lost);
      lost *= counted;
      count_lost(saturated + 2 * (p * VEC + i), lost);
    }
  }
#else
#pragma unroll
  for (i32 p = 0; p < PARTS; ++p) VSTORE_AS(OUT, sums[p], voxel + p * VEC);
#endif
}
