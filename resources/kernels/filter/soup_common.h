// Shared by the rungs of the soup. Defined before: see gpu/filter/ladder_plan.h; TAPS (25 integers, row by row), SCALE,
// UNROLL (5 unrolls the loops over the taps, 1 does not), MEMORY (1: the memory-only twin, which moves the same bytes
// and copies the image; `never` is always 0, but the compiler cannot know that and must keep the loads).
CONSTANT_TABLE i32 soup_taps[25] = {TAPS};

#define SOUP_ARGUMENTS                                                                                               \
  GLOBAL u8 *output, GLOBAL const REAL *taps, GLOBAL u32 *saturated, i32 pitch, i32 slice, i32 out_pitch, i32 width, \
      i32 height, i32 never, i32 first, i32 count

// The sum is exact; its product with SCALE is rounded to nearest, ties to even.
FUNCTION u32 soup_pixel(f32 sum) { return (u32)fmin(fmax(rint(sum * SCALE), 0.0f), 255.0f); }

// One pixel, and four adjacent pixels as one word, from a window in local memory with rows `row` elements apart.
FUNCTION u32 soup_at(LOCAL_POINTER(const PIXEL) window, i32 row, i32 never) {
#if MEMORY
  if (never == 0) return (u32)window[2 * row + 2];
#endif
  SUM sum = 0;
#pragma unroll UNROLL
  for (i32 i = 0; i < 5; ++i) {
#pragma unroll UNROLL
    for (i32 j = 0; j < 5; ++j) sum += (SUM)soup_taps[5 * i + j] * (SUM)window[i * row + j];
  }
  return soup_pixel((f32)sum);
}
FUNCTION u32 soup_word(LOCAL_POINTER(const PIXEL) window, i32 row, i32 never) {
  u32 word = 0;
#pragma unroll UNROLL
  for (i32 p = 0; p < 4; ++p) word |= soup_at(window + p, row, never) << (8 * p);
  return word;
}

// One pixel directly from memory: VALUE(i, j) reads row i, column j of its neighborhood. The twin reads the same values
// and uses them in a comparison whose result is always the same.
#if MEMORY
#define SOUP_DIRECT(result, VALUE)                         \
  u32 result = 0;                                          \
  {                                                        \
    u32 all = 0;                                           \
    for (i32 i = 0; i < 5; ++i)                            \
      for (i32 j = 0; j < 5; ++j) all |= (u32)VALUE(i, j); \
    if (all != 256u + (u32)never) result = VALUE(2, 2);    \
  }
#else
#define SOUP_DIRECT(result, VALUE)                                                \
  u32 result = 0;                                                                 \
  {                                                                               \
    i32 sum = 0;                                                                  \
    for (i32 i = 0; i < 5; ++i)                                                   \
      for (i32 j = 0; j < 5; ++j) sum += soup_taps[5 * i + j] * (i32)VALUE(i, j); \
    result = soup_pixel((f32)sum);                                                \
  }
#endif
