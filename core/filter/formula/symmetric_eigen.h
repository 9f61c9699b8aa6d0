#pragma once
// Eigenvalues of symmetric matrices by Jacobi's rotations, which are backward stable: the error of each eigenvalue is a
// few roundoffs of the matrix's norm, even if two are nearly equal, where closed formulas with cosines lose half of the
// digits (G. Golub and C. Van Loan, Matrix Computations, section 8.5). The product of the rotations holds the
// eigenvectors.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace sscope {

// The number of sweeps over the three pairs after which the matrix is diagonal in double precision; often fewer are
// needed.
inline constexpr int kEigenSweeps = 8;

namespace detail {
// A column of the product of all rotations.
using Axis = std::array<double, 3>;

// Makes the element (p, q) zero; r is the third axis: `pr` and `qr` are its elements with p and q.
inline void rotate(double& pp, double& qq, double& pq, double& pr, double& qr, Axis& p, Axis& q) {
  if (pq == 0) return;
  const double theta = (qq - pp) / (2 * pq);
  const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  pp -= t * pq;
  qq += t * pq;
  pq = 0;
  const auto turn = [&](double& a, double& b) {
    const double old = a;
    a = c * old - s * b;
    b = s * old + c * b;
  };
  turn(pr, qr);
  for (std::size_t i = 0; i < 3; ++i) turn(p[i], q[i]);
}
}  // namespace detail

struct SymmetricEigen {
  std::array<double, 3> values{};                                                // ascending
  std::array<std::array<double, 3>, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  // of each value, of length 1
};

// The eigenvalues of the matrix (xx, yy, zz, xy, xz, yz). NaN if an element is NaN or infinite.
[[nodiscard]] inline SymmetricEigen symmetricEigen(std::array<double, 6> m) {
  double bad = 0, largest = 0;
  for (const double element : m) {
    bad += 0 * element;
    largest = std::max(largest, std::abs(element));
  }
  SymmetricEigen eigen;
  if (std::isnan(bad)) {
    eigen.values = {bad, bad, bad};
    eigen.axes = {eigen.values, eigen.values, eigen.values};
    return eigen;
  }
  if (largest == 0) return eigen;
  const int exponent = std::ilogb(largest);  // scaling avoids overflow
  for (double& element : m) element = std::scalbn(element, -exponent);
  constexpr double kNothing = 0x1p-70;  // negligible compared with elements of size 1
  auto& [xx, yy, zz, xy, xz, yz] = m;
  auto& [x, y, z] = eigen.axes;
  for (int sweep = 0; sweep < kEigenSweeps; ++sweep) {
    if (std::max({std::abs(xy), std::abs(xz), std::abs(yz)}) < kNothing) break;
    detail::rotate(xx, yy, xy, xz, yz, x, y);
    detail::rotate(xx, zz, xz, xy, yz, x, z);
    detail::rotate(yy, zz, yz, xy, xz, y, z);
  }
  eigen.values = {std::scalbn(xx, exponent), std::scalbn(yy, exponent), std::scalbn(zz, exponent)};
  const auto order = [&](std::size_t a, std::size_t b) {
    if (eigen.values[a] <= eigen.values[b]) return;
    std::swap(eigen.values[a], eigen.values[b]);
    std::swap(eigen.axes[a], eigen.axes[b]);
  };
  order(0, 1);
  order(1, 2);
  order(0, 1);
  return eigen;
}

// An element, 0 to 5 as above, of the matrix with these eigenvectors and the eigenvalues f.
[[nodiscard]] inline double mappedElement(const SymmetricEigen& eigen, const std::array<double, 3>& f,
                                          std::size_t element) {
  constexpr std::array<std::array<std::size_t, 2>, 6> kElements{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
  const auto& [row, column] = kElements[element];
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) sum += f[i] * (eigen.axes[i][row] * eigen.axes[i][column]);
  return sum;
}

// The eigenvalues alone, ascending.
[[nodiscard]] inline std::array<double, 3> symmetricEigenvalues(const std::array<double, 6>& m) {
  return symmetricEigen(m).values;
}

// (xx, yy, xy); ascending.
[[nodiscard]] inline std::array<double, 2> symmetricEigenvalues(double xx, double yy, double xy) {
  const double bad = 0 * xx + 0 * yy + 0 * xy;
  const double middle = xx / 2 + yy / 2, distance = std::hypot(xx / 2 - yy / 2, xy);
  return {middle - distance + bad, middle + distance + bad};
}

}  // namespace sscope
