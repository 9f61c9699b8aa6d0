#pragma once
// Extended precision for deriving taps: the compiler's 113-bit type where available (only +, -, *, / and conversions
// are used, so no library is needed), else long double.

#include <vector>

namespace sscope {

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Quad;
#else
using Quad = long double;
#endif

[[nodiscard]] inline Quad absolute(Quad x) { return x < 0 ? -x : x; }

// Newton's iteration from the double root; x >= 0 within the range of double.
[[nodiscard]] Quad squareRoot(Quad x);

// The few operations on complex numbers that the factorization needs (std::complex of extended types is unspecified).
struct QuadComplex {
  Quad re = 0, im = 0;
};
[[nodiscard]] inline QuadComplex operator+(QuadComplex a, QuadComplex b) { return {a.re + b.re, a.im + b.im}; }
[[nodiscard]] inline QuadComplex operator-(QuadComplex a, QuadComplex b) { return {a.re - b.re, a.im - b.im}; }
[[nodiscard]] inline QuadComplex operator*(QuadComplex a, QuadComplex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
[[nodiscard]] inline Quad squaredMagnitude(QuadComplex a) { return a.re * a.re + a.im * a.im; }
[[nodiscard]] inline QuadComplex operator/(QuadComplex a, QuadComplex b) {
  const Quad n = squaredMagnitude(b);
  return {(a.re * b.re + a.im * b.im) / n, (a.im * b.re - a.re * b.im) / n};
}
// The root with a non-negative real part.
[[nodiscard]] QuadComplex squareRoot(QuadComplex a);

// All roots of sum_k coefficients[k] x^k, which must be simple: Weierstrass' simultaneous iteration, then Newton's on
// each, both in extended precision. The leading coefficient must not be zero.
[[nodiscard]] std::vector<QuadComplex> polynomialRoots(const std::vector<Quad>& coefficients);

// Taps of the orthogonal wavelets with the most vanishing moments, by spectral factorization (I. Daubechies, Ten
// Lectures on Wavelets, 1992, sections 6.1, 6.4 and 8.1). The derivation is in docs/manual/wavelets.md.
enum class PhaseChoice {
  Minimum,         // Daubechies: every zero inside the unit circle
  LeastAsymmetric  // symlets: from each group of zeros the one that makes the phase most nearly linear
};

inline constexpr int kMaximumOrder = 10;

// The 2 * order taps of the synthesis low pass (PyWavelets' rec_lo), in its order and to more than double precision:
// sum sqrt(2), orthonormal to its even shifts, `order` vanishing moments. order 1..kMaximumOrder.
[[nodiscard]] std::vector<Quad> orthogonalLowPass(int order, PhaseChoice choice);

}  // namespace sscope
