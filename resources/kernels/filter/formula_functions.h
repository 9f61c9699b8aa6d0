// The functions of formulas (core/filter/formula/formula_value.h says what they mean); included after a prelude. What
// is not here is the language's own.
//
// Defined before: WIDE (1: REAL is f64).
#if WIDE
#define LARGE_SIZE ((REAL)0x1p500)
#define SIZE_SCALE ((REAL)0x1p530)
#define EIGEN_SWEEPS 6
#else
#define LARGE_SIZE 0x1p60f
#define SIZE_SCALE 0x1p70f
#define EIGEN_SWEEPS 5
#endif
#define ONE ((REAL)1)
#define NOTHING ((REAL)0)

FUNCTION REAL truth_of(i32 condition) { return condition ? ONE : NOTHING; }
// NaN if one of them is.
FUNCTION REAL least_of(REAL a, REAL b) { return a != a ? a : b != b ? b : fmin(a, b); }
FUNCTION REAL most_of(REAL a, REAL b) { return a != a ? a : b != b ? b : fmax(a, b); }
FUNCTION REAL sign_of(REAL a) { return a > NOTHING ? ONE : a < NOTHING ? -ONE : a; }
// With the sign of the divisor.
FUNCTION REAL modulo_of(REAL a, REAL b) {
  const REAL rest = fmod(a, b);
  return rest != NOTHING && (rest < NOTHING) != (b < NOTHING) ? rest + b : rest;
}
// Without overflow.
FUNCTION REAL hypotenuse_of(REAL a, REAL b) {
  const REAL size = most_of(fabs(a), fabs(b));
  const REAL scale = size > LARGE_SIZE ? ONE / SIZE_SCALE : size < ONE / LARGE_SIZE ? SIZE_SCALE : ONE;
  const REAL back = size > LARGE_SIZE ? SIZE_SCALE : size < ONE / LARGE_SIZE ? ONE / SIZE_SCALE : ONE;
  const REAL x = a * scale, y = b * scale;
  return sqrt(FMA(x, x, y * y)) * back;
}

// One of Jacobi's rotations (core/filter/formula/symmetric_eigen.h): makes pq zero.
FUNCTION void rotate_pair(REAL* pp, REAL* qq, REAL* pq, REAL* pr, REAL* qr) {
  if (*pq == NOTHING) return;
  const REAL theta = (*qq - *pp) / (*pq + *pq);
  const REAL size = ONE / (fabs(theta) + sqrt(FMA(theta, theta, ONE)));
  const REAL t = theta < NOTHING ? -size : size;
  const REAL c = ONE / sqrt(FMA(t, t, ONE)), s = t * c, shift = t * *pq, old = *pr;
  *pp -= shift;
  *qq += shift;
  *pq = NOTHING;
  *pr = c * old - s * *qr;
  *qr = FMA(s, old, c * *qr);
}
FUNCTION void order_pair(REAL* a, REAL* b, i32 absolute) {
  if (absolute ? fabs(*b) < fabs(*a) : *b < *a) {
    const REAL low = *b;
    *b = *a;
    *a = low;
  }
}
// Ascending, to `values`; NaN where an element is not finite.
FUNCTION void eigenvalues_of(REAL xx, REAL yy, REAL zz, REAL xy, REAL xz, REAL yz, i32 absolute, REAL* values) {
  const REAL bad = NOTHING * xx + NOTHING * yy + NOTHING * zz + NOTHING * xy + NOTHING * xz + NOTHING * yz;
  const REAL size = fmax(fmax(fmax(fabs(xx), fabs(yy)), fmax(fabs(zz), fabs(xy))), fmax(fabs(xz), fabs(yz)));
  const REAL scale = size > LARGE_SIZE ? ONE / SIZE_SCALE : size < ONE / LARGE_SIZE ? SIZE_SCALE : ONE;
  const REAL back = size > LARGE_SIZE ? SIZE_SCALE : size < ONE / LARGE_SIZE ? ONE / SIZE_SCALE : ONE;
  REAL a = xx * scale, b = yy * scale, c = zz * scale, d = xy * scale, e = xz * scale, f = yz * scale;
  for (i32 sweep = 0; sweep < EIGEN_SWEEPS; ++sweep) {
    rotate_pair(&a, &b, &d, &e, &f);
    rotate_pair(&a, &c, &e, &d, &f);
    rotate_pair(&b, &c, &f, &d, &e);
  }
  order_pair(&a, &b, absolute);
  order_pair(&b, &c, absolute);
  order_pair(&a, &b, absolute);
  values[0] = FMA(a, back, bad);
  values[1] = FMA(b, back, bad);
  values[2] = FMA(c, back, bad);
}
