// Shared by the rungs of Wilson's operator. Defined before: LX, LY, LZ, LT (extents), KAPPA, TIME_SIGN (of hops across
// the boundary in time), NEIGHBORS_READ (1: neighbors are read from a table, 0: computed). REAL is the type of the
// arithmetic; FIELD is the type of links and spinors in memory, f64 except for the extras of lower precision.
#ifndef FIELD
#define FIELD f64
#endif
//
// center: the spinor field, 24 numbers per site: re and im at 2 (4 color + spin). in, out: the fields that a kernel
// reads and writes; `in` is `center` if there is only one product. Directions 0..3 are forward hops along x, y, z, t;
// 4..7 are backward hops. A row of work items computes a time slice; behind the last site, the output has space for one
// group of sites per slice.
#define SLICE (LX * LY * LZ)
#define VOLUME (SLICE * LT)

#define DIRAC_ARGUMENTS                                                                                         \
  GLOBAL const FIELD *center, GLOBAL const FIELD *in, GLOBAL FIELD *out, GLOBAL const FIELD *links, \
      GLOBAL const i32 *neighbors, i32 direction, i32 first, i32 count

// sum += a * b, complex.
#define ADD_PRODUCT(sum_re, sum_im, a_re, a_im, b_re, b_im) \
  sum_re = FMA(a_re, b_re, sum_re);                         \
  sum_re = FMA(-(a_im), b_im, sum_re);                      \
  sum_im = FMA(a_re, b_im, sum_im);                         \
  sum_im = FMA(a_im, b_re, sum_im)

// The k-th number to store at a site (k is 2 element, + 1 for imaginary parts). `value` is that of D psi; `partner` is
// the imaginary part of psi for a real part and vice versa. GAMMA5 1: the operator is gamma_5 D + i TWIST instead of D.
#ifndef GAMMA5
#define GAMMA5 0
#endif
#if GAMMA5
#define STORED(k, value, partner) \
  FMA(((k)&1) ? (TWIST) : -(TWIST), partner, ((((k) >> 1) & 3) < 2 ? (REAL)1 : (REAL)-1) * (value))
#else
#define STORED(k, value, partner) (value)
#endif

FUNCTION i32 step_from(i32 site, i32 stride, i32 extent, i32 back) {
  const i32 at = site / stride % extent;
  if (back) return at > 0 ? site - stride : site + stride * (extent - 1);
  return at + 1 < extent ? site + stride : site - stride * (extent - 1);
}
FUNCTION i32 computed_neighbor(i32 site, i32 d) {
  const i32 mu = d & 3, back = d >> 2;
  if (mu == 0) return step_from(site, 1, LX, back);
  if (mu == 1) return step_from(site, LX, LY, back);
  if (mu == 2) return step_from(site, LX * LY, LZ, back);
  return step_from(site, SLICE, LT, back);
}
#if NEIGHBORS_READ
#define NEIGHBOR(site, d) (neighbors[8 * (site) + (d)])
#else
#define NEIGHBOR(site, d) computed_neighbor(site, d)
#endif
