#pragma once
// Eigenvalues of symmetric matrices by Jacobi's rotations, which are backward stable: each eigenvalue is off by a few
// roundoffs of the matrix's norm, also where two are nearly equal, which closed formulas with cosines miss by the root
// of that (G. Golub and C. Van Loan, Matrix Computations, section 8.5).

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sscope {

// Sweeps over the three pairs after which nothing is left beside the diagonal in double precision.
inline constexpr int kEigenSweeps = 8;

namespace detail {
// Makes the element (p, q) zero; r is the third axis: `pr` and `qr` are its elements with p and q.
inline void rotate(double& pp, double& qq, double& pq, double& pr, double& qr) {
  if (pq == 0) return;
  const double theta = (qq - pp) / (2 * pq);
  const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  pp -= t * pq;
  qq += t * pq;
  pq = 0;
  const double old = pr;
  pr = c * old - s * qr;
  qr = s * old + c * qr;
}
}  // namespace detail

// (xx, yy, zz, xy, xz, yz); ascending. NaN where an element is NaN or infinite.
[[nodiscard]] inline std::array<double, 3> symmetricEigenvalues(std::array<double, 6> m) {
  double bad = 0, largest = 0;
  for (const double element : m) {
    bad += 0 * element;
    largest = std::max(largest, std::abs(element));
  }
  if (std::isnan(bad)) return {bad, bad, bad};
  if (largest == 0) return {0, 0, 0};
  const int exponent = std::ilogb(largest);  // so that nothing overflows
  for (double& element : m) element = std::scalbn(element, -exponent);
  auto& [xx, yy, zz, xy, xz, yz] = m;
  for (int sweep = 0; sweep < kEigenSweeps; ++sweep) {
    detail::rotate(xx, yy, xy, xz, yz);
    detail::rotate(xx, zz, xz, xy, yz);
    detail::rotate(yy, zz, yz, xy, xz);
  }
  std::array<double, 3> values{xx, yy, zz};
  std::ranges::sort(values);
  for (double& value : values) value = std::scalbn(value, exponent);
  return values;
}

// (xx, yy, xy); ascending.
[[nodiscard]] inline std::array<double, 2> symmetricEigenvalues(double xx, double yy, double xy) {
  const double bad = 0 * xx + 0 * yy + 0 * xy;
  const double middle = xx / 2 + yy / 2, distance = std::hypot(xx / 2 - yy / 2, xy);
  return {middle - distance + bad, middle + distance + bad};
}

}  // namespace sscope
