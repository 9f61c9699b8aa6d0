// What the rungs of the soup share. Defined before: see gpu/filter/ladder_plan.h; TAPS (25 integers, row by row),
// SCALE, UNROLL (5 or 1: whether the loops over the taps are unrolled), MEMORY (1: the memory-only twin, which moves
// the same bytes and hands the image through; `never` is 0, which only we know, so nothing can be left out).
CONSTANT_TABLE i32 soup_taps[25] = {TAPS};

#define SOUP_ARGUMENTS                                                                                               \
  GLOBAL u8 *output, GLOBAL const REAL *taps, GLOBAL u32 *saturated, i32 pitch, i32 slice, i32 out_pitch, i32 width, \
      i32 height, i32 never, i32 first, i32 count

// The sum is exact; one product, rounded to the nearest, ties to even.
FUNCTION u32 soup_pixel(f32 sum) { return (u32)fmin(fmax(rint(sum * SCALE), 0.0f), 255.0f); }

// One pixel, and four neighbors as one word, from a window in local memory whose rows are `row` elements apart.
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

// One pixel straight from memory: VALUE(i, j) reads row i, column j of its neighborhood. The twin reads as much, and
// uses it by a comparison that never holds.
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
