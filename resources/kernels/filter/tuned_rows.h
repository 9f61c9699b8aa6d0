// Shared by the tuned dense kernels: loads rows of the input into registers. Included after tile_store.h.
//
// Defined before: TX (outputs of a work item along x, a multiple of VEC), SIZE_X (taps along x), ANCHOR (of the taps
// along x), LEFT (elements loaded before the first tap to align loads), LOADS (vectors loaded from a row), ALIGNED (1:
// rows of input and output and blocks of outputs are aligned to whole vectors), IN (element type of the source),
// HAS_OUTSIDE (1: maps may contain -1, which stands for `outside`).
#if ALIGNED
#define LOAD_VECTOR(pointer) VLOAD_ALIGNED(pointer)
#else
#define LOAD_VECTOR(pointer) VLOAD(pointer)
#endif

// Loads LOADS vectors, beginning at `from`, all inside the image.
FUNCTION void load_inside(REAL* row, GLOBAL const REAL* from) {
#pragma unroll
  for (i32 v = 0; v < LOADS; ++v) {
    VREAL value = LOAD_VECTOR(from + v * VEC);
#pragma unroll
    for (i32 e = 0; e < VEC; ++e) row[v * VEC + e] = ELEMENT(value, e);
  }
}

// Loads the same elements through the map of x, whose entry 0 is for the first tap of output 0; `last` is the index of
// its last entry.
FUNCTION void load_mapped(REAL* row, GLOBAL const REAL* from, GLOBAL const i32* x_map, i32 x0, i32 last,
                          REAL outside) {
#pragma unroll
  for (i32 i = 0; i < TX + SIZE_X - 1; ++i) {
    const i32 x = x_map[x0 + i < last ? x0 + i : last];
#if HAS_OUTSIDE
    row[LEFT + i] = x < 0 ? outside : from[x < 0 ? 0 : x];
#else
    row[LEFT + i] = from[x];
#endif
  }
}

FUNCTION void fill_row(REAL* row, REAL value) {
#pragma unroll
  for (i32 i = 0; i < LOADS * VEC; ++i) row[i] = value;
}
