#pragma once
// Complex 3x3 matrices and the group SU(3).

#include <array>
#include <complex>
#include <cstddef>

namespace sscope::lattice {

using Complex = std::complex<double>;

// The product without the C++ standard's special handling of infinities, which costs more than the product.
[[nodiscard]] inline Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// Row-major.
struct Matrix3 {
  std::array<Complex, 9> element{};

  [[nodiscard]] Complex& operator()(int row, int column) { return element[static_cast<std::size_t>(3 * row + column)]; }
  [[nodiscard]] const Complex& operator()(int row, int column) const {
    return element[static_cast<std::size_t>(3 * row + column)];
  }
  Matrix3& operator+=(const Matrix3& other);
  Matrix3& operator-=(const Matrix3& other);
  Matrix3& operator*=(Complex factor);
  bool operator==(const Matrix3&) const = default;
};

[[nodiscard]] Matrix3 identity3();
[[nodiscard]] Matrix3 operator*(const Matrix3& a, const Matrix3& b);
[[nodiscard]] Matrix3 operator+(Matrix3 a, const Matrix3& b);
[[nodiscard]] Matrix3 operator-(Matrix3 a, const Matrix3& b);
[[nodiscard]] Matrix3 operator*(Complex factor, Matrix3 a);
[[nodiscard]] Matrix3 adjoint(const Matrix3& a);
[[nodiscard]] Complex trace(const Matrix3& a);
// Re tr(a b), without the product.
[[nodiscard]] double realTraceOfProduct(const Matrix3& a, const Matrix3& b);
[[nodiscard]] Complex determinant(const Matrix3& a);

// The third row of a special unitary matrix from the first two: conj(row 1 x row 2).
void rebuildThirdRow(Matrix3& u);
// Gram-Schmidt orthonormalization of the first two rows; the third row as above.
[[nodiscard]] Matrix3 reunitarized(const Matrix3& u);
// The nearest element of SU(3) in the Frobenius norm, for matrices within 0.1 of the group: the unitary polar factor,
// divided by the phase of its determinant.
[[nodiscard]] Matrix3 projectedToSu3(const Matrix3& u);
// The largest of |U U^dagger - 1| over its elements and |det U - 1|; NaN where an element is not finite.
[[nodiscard]] double unitarityError(const Matrix3& u);

// (a - a^dagger) / 2 less its trace: the projection to the algebra su(3).
[[nodiscard]] Matrix3 antihermitianTraceless(const Matrix3& a);
// exp(a) to nearly double precision, for norms up to a few hundred.
[[nodiscard]] Matrix3 exponential(const Matrix3& a);

}  // namespace sscope::lattice
