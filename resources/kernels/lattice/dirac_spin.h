// The spin matrices of the hops, which multiply a spinor (3 colors x 4 spins) from the right. SPIN_MATRICES: 8 x 4 x 4
// complex numbers, 1 - gamma for forward and 1 + gamma for backward hops, transposed. SPARSE 1: uses only the two
// nonzero elements of each column, given by SPIN_OTHER (the row of the second one, 4 x 4 for mu and column) and
// SPIN_FACTORS (its value, 8 x 4 complex numbers).
#if SPARSE
CONSTANT_TABLE i32 spin_other[16] = {SPIN_OTHER};
CONSTANT_TABLE f64 spin_factors[64] = {SPIN_FACTORS};
#else
CONSTANT_TABLE f64 spin_matrices[256] = {SPIN_MATRICES};
#endif

// Adds element (color, s) of psi times the matrix of direction d to mixed_re and mixed_im.
#if SPARSE
#define ADD_MIXED(mixed_re, mixed_im, psi, color, s, d)                                       \
  {                                                                                           \
    const i32 other = 8 * (color) + 2 * spin_other[4 * ((d)&3) + (s)], own = 8 * (color) + 2 * (s); \
    const i32 factor = 2 * (4 * (d) + (s));                                                   \
    mixed_re += (psi)[own];                                                                   \
    mixed_im += (psi)[own + 1];                                                               \
    ADD_PRODUCT(mixed_re, mixed_im, spin_factors[factor], spin_factors[factor + 1], (psi)[other], (psi)[other + 1]); \
  }
#else
#define ADD_MIXED(mixed_re, mixed_im, psi, color, s, d)                                                          \
  for (i32 k = 0; k < 4; ++k) {                                                                                  \
    const i32 from = 8 * (color) + 2 * k, by = 2 * (16 * (d) + 4 * k + (s));                                     \
    ADD_PRODUCT(mixed_re, mixed_im, (psi)[from], (psi)[from + 1], spin_matrices[by], spin_matrices[by + 1]);     \
  }
#endif
