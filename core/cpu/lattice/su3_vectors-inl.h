// Matrices of SU(3) and its algebra, one per lane: each number is a vector in memory, one after the other. Included
// once per instruction set, inside an unnamed namespace of HWY_NAMESPACE.
//
// A link has 18 numbers, as in lattice::Matrix3. An element of the algebra (anti-Hermitian, traceless) has eight: the
// imaginary parts of (0,0) and (1,1), then (0,1), (0,2), (1,2), real before imaginary.

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<double>;
using Vector = hn::Vec<Tag>;
constexpr Tag kTag;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(Tag()));
constexpr int kLink = kLinkNumbers * kLanes;        // doubles
constexpr int kAlgebra = kAlgebraNumbers * kLanes;  // doubles

HWY_INLINE Vector number(const double* of, int k) { return hn::Load(kTag, of + k * kLanes); }
HWY_INLINE void setNumber(Vector value, double* of, int k) { hn::Store(value, kTag, of + k * kLanes); }

struct Number {
  Vector re, im;
};
// Of a link.
HWY_INLINE Number element(const double* of, int row, int column) {
  const int k = 2 * (3 * row + column);
  return {number(of, k), number(of, k + 1)};
}
HWY_INLINE void setElement(const Number& value, double* of, int row, int column) {
  const int k = 2 * (3 * row + column);
  setNumber(value.re, of, k);
  setNumber(value.im, of, k + 1);
}

// sum + a b, sum - a b; the same with a's conjugate.
HWY_INLINE Number plusProduct(const Number& sum, const Number& a, const Number& b) {
  return {hn::NegMulAdd(a.im, b.im, hn::MulAdd(a.re, b.re, sum.re)),
          hn::MulAdd(a.im, b.re, hn::MulAdd(a.re, b.im, sum.im))};
}
HWY_INLINE Number minusProduct(const Number& sum, const Number& a, const Number& b) {
  return {hn::MulAdd(a.im, b.im, hn::NegMulAdd(a.re, b.re, sum.re)),
          hn::NegMulAdd(a.im, b.re, hn::NegMulAdd(a.re, b.im, sum.im))};
}
HWY_INLINE Number plusConjugate(const Number& sum, const Number& a, const Number& b) {
  return {hn::MulAdd(a.im, b.im, hn::MulAdd(a.re, b.re, sum.re)),
          hn::NegMulAdd(a.im, b.re, hn::MulAdd(a.re, b.im, sum.im))};
}
HWY_INLINE Number minusConjugate(const Number& sum, const Number& a, const Number& b) {
  return {hn::NegMulAdd(a.im, b.im, hn::NegMulAdd(a.re, b.re, sum.re)),
          hn::MulAdd(a.im, b.re, hn::NegMulAdd(a.re, b.im, sum.im))};
}
// a b.
HWY_INLINE Number times(const Number& a, const Number& b) {
  return {hn::NegMulAdd(a.im, b.im, hn::Mul(a.re, b.re)), hn::MulAdd(a.im, b.re, hn::Mul(a.re, b.im))};
}
// sum + i factor a.
HWY_INLINE Number plusTurned(const Number& sum, Vector factor, const Number& a) {
  return {hn::NegMulAdd(factor, a.im, sum.re), hn::MulAdd(factor, a.re, sum.im)};
}
// i factor a.
HWY_INLINE Number turned(Vector factor, const Number& a) {
  return {hn::Neg(hn::Mul(factor, a.im)), hn::Mul(factor, a.re)};
}
HWY_INLINE Number scaled(Vector factor, const Number& a) { return {hn::Mul(factor, a.re), hn::Mul(factor, a.im)}; }
// c = a b; c overlaps neither a nor b. kPast: with non-temporal stores.
template <bool kPast = false>
void product(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b, double* HWY_RESTRICT c) {
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    Number row[3];
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      const Number left = element(a, i, k);
#pragma GCC unroll 3
      for (int j = 0; j < 3; ++j) {
        const Number right = element(b, k, j);
        row[j] = k == 0 ? times(left, right) : plusProduct(row[j], left, right);
      }
    }
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) {
      if constexpr (kPast) {
        double* to = c + 2 * (3 * i + j) * kLanes;
        hn::Stream(row[j].re, kTag, to);
        hn::Stream(row[j].im, kTag, to + kLanes);
      } else {
        setElement(row[j], c, i, j);
      }
    }
  }
}

// (0,1), (0,2), (1,2).
constexpr int kUpper[3][2] = {{0, 1}, {0, 2}, {1, 2}};

// z = the projection of a b^dagger to the algebra.
void projectedProduct(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b, double* HWY_RESTRICT z) {
  const Vector half = hn::Set(kTag, 0.5);
#pragma GCC unroll 3
  for (int p = 0; p < 3; ++p) {
    const int i = kUpper[p][0], j = kUpper[p][1];
    Vector re = hn::Zero(kTag), im = re;
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      const Number ai = element(a, i, k), bj = element(b, j, k), aj = element(a, j, k), bi = element(b, i, k);
      re = hn::MulAdd(ai.re, bj.re, hn::MulAdd(ai.im, bj.im, re));
      re = hn::NegMulAdd(aj.re, bi.re, hn::NegMulAdd(aj.im, bi.im, re));
      im = hn::MulAdd(ai.im, bj.re, hn::NegMulAdd(ai.re, bj.im, im));
      im = hn::MulAdd(aj.im, bi.re, hn::NegMulAdd(aj.re, bi.im, im));
    }
    setNumber(hn::Mul(half, re), z, 2 + 2 * p);
    setNumber(hn::Mul(half, im), z, 3 + 2 * p);
  }
  Vector diagonal[3];
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    diagonal[i] = hn::Zero(kTag);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      const Number left = element(a, i, k), right = element(b, i, k);
      diagonal[i] = hn::MulAdd(left.im, right.re, hn::NegMulAdd(left.re, right.im, diagonal[i]));
    }
  }
  const Vector third = hn::Mul(hn::Set(kTag, 1.0 / 3), hn::Add(diagonal[0], hn::Add(diagonal[1], diagonal[2])));
  setNumber(hn::Sub(diagonal[0], third), z, 0);
  setNumber(hn::Sub(diagonal[1], third), z, 1);
}

// Re tr(a b^dagger).
Vector realTrace(const double* a, const double* b) {
  Vector even = hn::Zero(kTag), odd = even;
  for (int k = 0; k < kLinkNumbers; k += 2) {
    even = hn::MulAdd(number(a, k), number(b, k), even);
    odd = hn::MulAdd(number(a, k + 1), number(b, k + 1), odd);
  }
  return hn::Add(even, odd);
}

struct Algebra {
  Vector diagonal[3];
  Number p, q, r;  // (0,1), (0,2), (1,2)
};
HWY_INLINE Algebra algebra(const double* z) {
  Algebra a;
  a.diagonal[0] = number(z, 0);
  a.diagonal[1] = number(z, 1);
  a.diagonal[2] = hn::Neg(hn::Add(a.diagonal[0], a.diagonal[1]));
  a.p = {number(z, 2), number(z, 3)};
  a.q = {number(z, 4), number(z, 5)};
  a.r = {number(z, 6), number(z, 7)};
  return a;
}

// -tr(a b) of two elements of the algebra.
Vector minusTraceOfProduct(const double* a, const double* b) {
  const auto third = [](const double* z) { return hn::Add(number(z, 0), number(z, 1)); };
  Vector diagonal = hn::MulAdd(number(a, 0), number(b, 0), hn::Mul(number(a, 1), number(b, 1)));
  diagonal = hn::MulAdd(third(a), third(b), diagonal);
  Vector upper = hn::Mul(number(a, 2), number(b, 2));
  for (int k = 3; k < kAlgebraNumbers; ++k) upper = hn::MulAdd(number(a, k), number(b, k), upper);
  return hn::MulAdd(hn::Set(kTag, 2.0), upper, diagonal);
}

// sum <- sum + u^dagger z u, or minus that.
template <bool kMinus>
void addCarried(const double* HWY_RESTRICT u, const double* HWY_RESTRICT z, double* HWY_RESTRICT sum) {
  const Algebra a = algebra(z);
  Number m[3][3];  // z u
#pragma GCC unroll 3
  for (int j = 0; j < 3; ++j) {
    const Number u0 = element(u, 0, j), u1 = element(u, 1, j), u2 = element(u, 2, j);
    m[0][j] = plusTurned(plusProduct(times(a.p, u1), a.q, u2), a.diagonal[0], u0);
    m[1][j] = plusTurned(minusConjugate(times(a.r, u2), a.p, u0), a.diagonal[1], u1);
    m[2][j] = minusConjugate(minusConjugate(turned(a.diagonal[2], u2), a.q, u0), a.r, u1);
  }
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i) {
    Vector im = number(sum, i);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      const Number left = element(u, k, i);
      im = kMinus ? hn::MulAdd(left.im, m[k][i].re, hn::NegMulAdd(left.re, m[k][i].im, im))
                  : hn::NegMulAdd(left.im, m[k][i].re, hn::MulAdd(left.re, m[k][i].im, im));
    }
    setNumber(im, sum, i);
  }
#pragma GCC unroll 3
  for (int p = 0; p < 3; ++p) {
    const int i = kUpper[p][0], j = kUpper[p][1];
    Number t{number(sum, 2 + 2 * p), number(sum, 3 + 2 * p)};
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      const Number left = element(u, k, i);
      t = kMinus ? minusConjugate(t, left, m[k][j]) : plusConjugate(t, left, m[k][j]);
    }
    setNumber(t.re, sum, 2 + 2 * p);
    setNumber(t.im, sum, 3 + 2 * p);
  }
}

// e = exp(x) by a Taylor series with `terms` terms. By Cayley-Hamilton x^3 = i delta - s x, so every power is a
// combination of 1, x and x^2, and Horner's scheme works on their three coefficients.
void exponential(const double* HWY_RESTRICT x, int terms, double* HWY_RESTRICT e) {
  const Algebra a = algebra(x);
  const Vector d0 = a.diagonal[0], d1 = a.diagonal[1], d2 = a.diagonal[2];
  const auto norm = [](const Number& c) { return hn::MulAdd(c.re, c.re, hn::Mul(c.im, c.im)); };
  const Vector pp = norm(a.p), qq = norm(a.q), rr = norm(a.r);
  const Vector half = hn::Set(kTag, 0.5);
  const Vector s =
      hn::MulAdd(half, hn::MulAdd(d0, d0, hn::MulAdd(d1, d1, hn::Mul(d2, d2))), hn::Add(pp, hn::Add(qq, rr)));
  // Im(p r conj(q)).
  const Number zero{hn::Zero(kTag), hn::Zero(kTag)};
  const Number pr = times(a.p, a.r);
  const Vector round = hn::NegMulAdd(pr.re, a.q.im, hn::Mul(pr.im, a.q.re));
  const Vector delta = hn::NegMulAdd(hn::Set(kTag, 2.0), round,
                                     hn::MulAdd(d0, hn::NegMulAdd(d1, d2, rr), hn::MulAdd(d2, pp, hn::Mul(d1, qq))));
  const Vector one = hn::Set(kTag, 1.0);
  Number f0{one, zero.re}, f1 = zero, f2 = zero;
  for (int k = terms; k >= 1; --k) {
    const Vector share = hn::Set(kTag, 1.0 / k);
    const Number top = scaled(share, f2);
    f2 = scaled(share, f1);
    f1 = {hn::NegMulAdd(s, top.re, hn::Mul(share, f0.re)), hn::NegMulAdd(s, top.im, hn::Mul(share, f0.im))};
    f0 = {hn::NegMulAdd(delta, top.im, one), hn::Mul(delta, top.re)};
  }
  // x^2 is Hermitian.
  const Vector y0 = hn::Neg(hn::MulAdd(d0, d0, hn::Add(pp, qq))), y1 = hn::Neg(hn::MulAdd(d1, d1, hn::Add(pp, rr))),
               y2 = hn::Neg(hn::MulAdd(d2, d2, hn::Add(qq, rr)));
  const Number y01 = minusConjugate(turned(hn::Neg(d2), a.p), a.r, a.q);
  const Number y02 = plusProduct(turned(hn::Neg(d1), a.q), a.p, a.r);
  const Number y12 = minusConjugate(turned(hn::Neg(d0), a.r), a.p, a.q);
  const auto diagonal = [&](Vector d, Vector y) {  // f0 + i d f1 + y f2
    return Number{hn::MulAdd(y, f2.re, hn::NegMulAdd(d, f1.im, f0.re)),
                  hn::MulAdd(y, f2.im, hn::MulAdd(d, f1.re, f0.im))};
  };
  setElement(diagonal(d0, y0), e, 0, 0);
  setElement(diagonal(d1, y1), e, 1, 1);
  setElement(diagonal(d2, y2), e, 2, 2);
  const auto pair = [&](int i, int j, const Number& c, const Number& y) {
    setElement(plusProduct(times(f1, c), f2, y), e, i, j);
    setElement(minusConjugate(plusConjugate(zero, y, f2), c, f1), e, j, i);
  };
  pair(0, 1, a.p, y01);
  pair(0, 2, a.q, y02);
  pair(1, 2, a.r, y12);
}

// The numbers of the sites one ahead along x: those of the block's `sites` sites, then the first of `next`, which also
// fills unused lanes.
HWY_INLINE void shiftAhead(const double* block, const double* next, int sites, int numbers, double* HWY_RESTRICT out) {
  const auto wraps = hn::Ge(hn::Iota(kTag, 0), hn::Set(kTag, static_cast<double>(sites - 1)));
  for (int k = 0; k < numbers; ++k) {
    const Vector inside = hn::LoadU(kTag, block + k * kLanes + 1);
    setNumber(hn::IfThenElse(wraps, hn::Set(kTag, next[k * kLanes]), inside), out, k);
  }
}
// One behind: before the first site comes the last of the `sites` of `previous`.
HWY_INLINE void shiftBehind(const double* block, const double* previous, int sites, int numbers,
                            double* HWY_RESTRICT out) {
  const auto first = hn::FirstN(kTag, 1);
  for (int k = 0; k < numbers; ++k) {
    const Vector inside = hn::LoadU(kTag, block + k * kLanes - 1);
    setNumber(hn::IfThenElse(first, hn::Set(kTag, previous[k * kLanes + sites - 1]), inside), out, k);
  }
}
