// The functions of formulas (defined in core/filter/formula/formula_value.h); included after a prelude. Other functions
// are the language's own.
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

// One of Jacobi's rotations (core/filter/formula/symmetric_eigen.h): makes pq zero. `p` and `q`: eigenvectors so far.
FUNCTION void turn_pair(REAL c, REAL s, REAL* a, REAL* b) {
  const REAL old = *a;
  *a = c * old - s * *b;
  *b = FMA(s, old, c * *b);
}
FUNCTION void rotate_pair(REAL* pp, REAL* qq, REAL* pq, REAL* pr, REAL* qr, REAL* p, REAL* q) {
  if (*pq == NOTHING) return;
  const REAL theta = (*qq - *pp) / (*pq + *pq);
  const REAL size = ONE / (fabs(theta) + sqrt(FMA(theta, theta, ONE)));
  const REAL t = theta < NOTHING ? -size : size;
  const REAL c = ONE / sqrt(FMA(t, t, ONE)), s = t * c, shift = t * *pq;
  *pp -= shift;
  *qq += shift;
  *pq = NOTHING;
  turn_pair(c, s, pr, qr);
  for (i32 i = 0; i < 3; ++i) turn_pair(c, s, p + i, q + i);
}
FUNCTION void swap_pair(REAL* a, REAL* b) {
  const REAL low = *b;
  *b = *a;
  *a = low;
}
FUNCTION void order_pair(REAL* a, REAL* b, i32 absolute, REAL* p, REAL* q) {
  if (!(absolute ? fabs(*b) < fabs(*a) : *b < *a)) return;
  swap_pair(a, b);
  for (i32 i = 0; i < 3; ++i) swap_pair(p + i, q + i);
}
// Ascending, to `values`, and behind them the eigenvectors; NaN where an element is not finite.
FUNCTION void ordered_eigensystem_of(REAL xx, REAL yy, REAL zz, REAL xy, REAL xz, REAL yz, i32 absolute, REAL* values) {
  const REAL bad = NOTHING * xx + NOTHING * yy + NOTHING * zz + NOTHING * xy + NOTHING * xz + NOTHING * yz;
  const REAL size = fmax(fmax(fmax(fabs(xx), fabs(yy)), fmax(fabs(zz), fabs(xy))), fmax(fabs(xz), fabs(yz)));
  const REAL scale = size > LARGE_SIZE ? ONE / SIZE_SCALE : size < ONE / LARGE_SIZE ? SIZE_SCALE : ONE;
  const REAL back = size > LARGE_SIZE ? SIZE_SCALE : size < ONE / LARGE_SIZE ? ONE / SIZE_SCALE : ONE;
  REAL a = xx * scale, b = yy * scale, c = zz * scale, d = xy * scale, e = xz * scale, f = yz * scale;
  REAL* x = values + 3;
  REAL* y = values + 6;
  REAL* z = values + 9;
  for (i32 i = 0; i < 3; ++i) {
    x[i] = i == 0 ? ONE : NOTHING;
    y[i] = i == 1 ? ONE : NOTHING;
    z[i] = i == 2 ? ONE : NOTHING;
  }
  for (i32 sweep = 0; sweep < EIGEN_SWEEPS; ++sweep) {
    rotate_pair(&a, &b, &d, &e, &f, x, y);
    rotate_pair(&a, &c, &e, &d, &f, x, z);
    rotate_pair(&b, &c, &f, &d, &e, y, z);
  }
  order_pair(&a, &b, absolute, x, y);
  order_pair(&b, &c, absolute, y, z);
  order_pair(&a, &b, absolute, x, y);
  values[0] = FMA(a, back, bad);
  values[1] = FMA(b, back, bad);
  values[2] = FMA(c, back, bad);
  for (i32 i = 3; i < 12; ++i) values[i] += bad;
}
FUNCTION void eigensystem_of(REAL xx, REAL yy, REAL zz, REAL xy, REAL xz, REAL yz, REAL* values) {
  ordered_eigensystem_of(xx, yy, zz, xy, xz, yz, 0, values);
}
FUNCTION void eigenvalues_of(REAL xx, REAL yy, REAL zz, REAL xy, REAL xz, REAL yz, i32 absolute, REAL* values) {
  REAL all[12];
  ordered_eigensystem_of(xx, yy, zz, xy, xz, yz, absolute, all);
  for (i32 i = 0; i < 3; ++i) values[i] = all[i];
}
