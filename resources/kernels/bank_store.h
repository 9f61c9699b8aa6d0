// How the vector rungs of the bank write: CHANNELS results of one voxel, side by side, from PARTS vectors.
FUNCTION void store_channels(const VREAL* sums, GLOBAL OUT* voxel, GLOBAL u32* saturated) {
#if OUT_INTEGER
  for (i32 p = 0; p < PARTS; ++p) {
    REAL lane[VEC];
    VSTORE(sums[p], lane);
    for (i32 i = 0; i < VEC; ++i) {
      u32 lost = 0;
      voxel[p * VEC + i] = rounded_element(lane[i], &lost);
      if (lost > 0) ATOMIC_ADD(saturated + p * VEC + i, lost);
    }
  }
#else
#pragma unroll
  for (i32 p = 0; p < PARTS; ++p) VSTORE_AS(OUT, sums[p], voxel + p * VEC);
#endif
}
