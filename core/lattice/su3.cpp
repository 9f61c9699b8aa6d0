#include "core/lattice/su3.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sscope::lattice {

Matrix3& Matrix3::operator+=(const Matrix3& other) {
  for (std::size_t i = 0; i < element.size(); ++i) element[i] += other.element[i];
  return *this;
}

Matrix3& Matrix3::operator-=(const Matrix3& other) {
  for (std::size_t i = 0; i < element.size(); ++i) element[i] -= other.element[i];
  return *this;
}

Matrix3& Matrix3::operator*=(Complex factor) {
  for (Complex& e : element) e = times(factor, e);
  return *this;
}

Matrix3 identity3() {
  Matrix3 one;
  for (int i = 0; i < 3; ++i) one(i, i) = 1;
  return one;
}

// Row by row in local variables: without aliasing the compiler keeps them in registers.
Matrix3 operator*(const Matrix3& a, const Matrix3& b) {
  Matrix3 c;
  for (int i = 0; i < 3; ++i) {
    double re[3] = {}, im[3] = {};
    for (int k = 0; k < 3; ++k) {
      const double ar = a(i, k).real(), ai = a(i, k).imag();
      for (int j = 0; j < 3; ++j) {
        const double br = b(k, j).real(), bi = b(k, j).imag();
        re[j] += ar * br - ai * bi;
        im[j] += ar * bi + ai * br;
      }
    }
    for (int j = 0; j < 3; ++j) c(i, j) = {re[j], im[j]};
  }
  return c;
}

Matrix3 operator+(Matrix3 a, const Matrix3& b) { return a += b; }
Matrix3 operator-(Matrix3 a, const Matrix3& b) { return a -= b; }
Matrix3 operator*(Complex factor, Matrix3 a) { return a *= factor; }

Matrix3 adjoint(const Matrix3& a) {
  Matrix3 c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c(i, j) = std::conj(a(j, i));
  return c;
}

Complex trace(const Matrix3& a) { return a(0, 0) + a(1, 1) + a(2, 2); }

double realTraceOfProduct(const Matrix3& a, const Matrix3& b) {
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) sum += a(i, k).real() * b(k, i).real() - a(i, k).imag() * b(k, i).imag();
  return sum;
}

Complex determinant(const Matrix3& a) {
  return times(a(0, 0), times(a(1, 1), a(2, 2)) - times(a(1, 2), a(2, 1))) -
         times(a(0, 1), times(a(1, 0), a(2, 2)) - times(a(1, 2), a(2, 0))) +
         times(a(0, 2), times(a(1, 0), a(2, 1)) - times(a(1, 1), a(2, 0)));
}

void rebuildThirdRow(Matrix3& u) {
  for (int j = 0; j < 3; ++j) {
    const int k = (j + 1) % 3, l = (j + 2) % 3;
    u(2, j) = std::conj(times(u(0, k), u(1, l)) - times(u(0, l), u(1, k)));
  }
}

Matrix3 reunitarized(const Matrix3& u) {
  Matrix3 v = u;
  const auto normalize = [&v](int row) {
    double norm = 0;
    for (int j = 0; j < 3; ++j) norm += std::norm(v(row, j));
    for (int j = 0; j < 3; ++j) v(row, j) /= std::sqrt(norm);
  };
  normalize(0);
  Complex overlap = 0;
  for (int j = 0; j < 3; ++j) overlap += times(std::conj(v(0, j)), v(1, j));
  for (int j = 0; j < 3; ++j) v(1, j) -= times(overlap, v(0, j));
  normalize(1);
  rebuildThirdRow(v);
  return v;
}

// Newton and Schulz: u (3 - u^dagger u) / 2 squares the distance from the unitary factor.
Matrix3 projectedToSu3(const Matrix3& u) {
  constexpr int kMostSteps = 8;
  constexpr double kEnough = 1e-16;
  Matrix3 v = u;
  for (int step = 0; step < kMostSteps; ++step) {
    const Matrix3 excess = adjoint(v) * v - identity3();
    double largest = 0;
    for (const Complex& e : excess.element) largest = std::max(largest, std::norm(e));
    v -= 0.5 * (v * excess);
    if (largest <= kEnough) break;  // of its square: the rest is rounding error
  }
  return std::polar(1.0, -std::arg(determinant(v)) / 3) * v;
}

double unitarityError(const Matrix3& u) {
  const Matrix3 difference = u * adjoint(u) - identity3();
  double worst = std::abs(determinant(u) - 1.0);
  for (const Complex& e : difference.element) {
    const double error = std::abs(e);
    if (!(error <= worst)) worst = error;  // NaN stays
    if (std::isnan(error)) return std::numeric_limits<double>::quiet_NaN();
  }
  return worst;
}

Matrix3 antihermitianTraceless(const Matrix3& a) {
  Matrix3 p = 0.5 * (a - adjoint(a));
  const Complex third = trace(p) / 3.0;
  for (int i = 0; i < 3; ++i) p(i, i) -= third;
  return p;
}

Matrix3 exponential(const Matrix3& a) {
  double norm = 0;
  for (const Complex& e : a.element) norm = std::max(norm, std::abs(e));
  // Taylor's series where it is short, squared as often as the argument was halved.
  const int halvings = norm > 0.05 ? static_cast<int>(std::ceil(std::log2(norm / 0.05))) : 0;
  const Matrix3 x = std::ldexp(1.0, -halvings) * a;
  // Cayley and Hamilton: x^3 = t x^2 - s x + d, so that every power is a sum of 1, x and x^2, and Horner's scheme is
  // one of their three coefficients.
  const Matrix3 square = x * x;
  const Complex t = trace(x), s = 0.5 * (times(t, t) - trace(square)), d = determinant(x);
  Complex zeroth = 1, first = 0, second = 0;
  constexpr int kTerms = 11;  // (3 * 0.05)^12 / 12! < 1e-18
  for (int k = kTerms; k >= 1; --k) {
    const double share = 1.0 / k;
    const Complex top = share * second;
    second = share * first + times(t, top);
    first = share * zeroth - times(s, top);
    zeroth = 1.0 + times(d, top);
  }
  Matrix3 sum;
  for (std::size_t i = 0; i < sum.element.size(); ++i)
    sum.element[i] = times(first, x.element[i]) + times(second, square.element[i]);
  for (int i = 0; i < 3; ++i) sum(i, i) += zeroth;
  for (int k = 0; k < halvings; ++k) sum = sum * sum;
  return sum;
}

}  // namespace sscope::lattice
