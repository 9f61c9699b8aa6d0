// What the rungs of Wilson's operator share. Defined before: LX, LY, LZ, LT, KAPPA, TIME_SIGN (of hops across the seam of
// time), NEIGHBORS_READ (1: neighbors come from a table, 0: they are computed). REAL is the type of the arithmetic, FIELD
// that of the links and the spinors in memory, which only the extras of lower precision have otherwise than f64.
#ifndef FIELD
#define FIELD f64
#endif
//
// center: the spinor field, 24 numbers a site: 2 (4 color + spin), re and im. in, out: what a kernel reads and writes, the
// field itself where there is but one. Directions 0..3 are the hops ahead along x y z t, 4..7 those back. A row of
// work items is a time slice; the output has room for a group of sites a slice beyond the last one.
#define SLICE (LX * LY * LZ)
#define VOLUME (SLICE * LT)

#define DIRAC_ARGUMENTS                                                                                         \
  GLOBAL const FIELD *center, GLOBAL const FIELD *in, GLOBAL FIELD *out, GLOBAL const FIELD *links, \
      GLOBAL const i32 *neighbors, i32 direction, i32 first, i32 count

// Sum += a * b, complex.
#define ADD_PRODUCT(sum_re, sum_im, a_re, a_im, b_re, b_im) \
  sum_re = FMA(a_re, b_re, sum_re);                         \
  sum_re = FMA(-(a_im), b_im, sum_re);                      \
  sum_im = FMA(a_re, b_im, sum_im);                         \
  sum_im = FMA(a_im, b_re, sum_im)

// Number k of what is stored at a site (2 element, + 1 for the imaginary part): `value` is D psi's, `partner` psi's other
// part. Where GAMMA5 is 1, the operator is gamma_5 D + i TWIST instead of D.
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
