#include "core/wavelet/kinetic_taps.h"

#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/wavelet/magic_taps.h"
#include "core/wavelet/quad.h"
#include "core/wavelet/spectral_factor.h"

namespace sscope {

namespace {

using Matrix = std::vector<std::vector<Quad>>;  // rows, with the right side as their last element

// Gauss' elimination with pivots of the column.
std::vector<Quad> solved(Matrix rows) {
  const std::size_t n = rows.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (absolute(rows[i][k]) > absolute(rows[pivot][k])) pivot = i;
    std::swap(rows[k], rows[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const Quad factor = rows[i][k] / rows[k][k];
      for (std::size_t j = k; j <= n; ++j) rows[i][j] -= factor * rows[k][j];
    }
  }
  std::vector<Quad> x(n);
  for (std::size_t k = n; k-- > 0;) {
    Quad sum = rows[k][n];
    for (std::size_t j = k + 1; j < n; ++j) sum -= rows[k][j] * x[j];
    x[k] = sum / rows[k][k];
  }
  return x;
}

// The two-scale relation makes a_i = 4 sum over n of p_n a_(2i + n), with p the autocorrelation of the low pass. With
// a_-i = a_i that is one row for each i >= 0. Weighted with i^2 these rows add up to zero, so the one of i = 1 follows
// from the others; in its place comes sum of i^2 a_i = 2, because the second derivative of x^2 is 2.
Matrix equations(const std::vector<Quad>& lowPass) {
  const auto taps = static_cast<int>(lowPass.size());
  const int last = taps - 2;
  Matrix rows(static_cast<std::size_t>(last + 1), std::vector<Quad>(static_cast<std::size_t>(last + 2), Quad(0)));
  for (int i = 0; i <= last; ++i) {
    std::vector<Quad>& row = rows[static_cast<std::size_t>(i)];
    row[static_cast<std::size_t>(i)] -= 1;
    for (int k = 0; k < taps; ++k)
      for (int l = 0; l < taps; ++l) {
        const int at = std::abs(2 * i + l - k);
        if (at <= last)
          row[static_cast<std::size_t>(at)] +=
              4 * lowPass[static_cast<std::size_t>(k)] * lowPass[static_cast<std::size_t>(l)];
      }
  }
  for (int i = 0; i <= last; ++i) rows[1][static_cast<std::size_t>(i)] = Quad(2 * i * i);
  rows[1].back() = 2;
  return rows;
}

}  // namespace

std::vector<double> kineticTaps(int m) {
  if (m < kKineticMinimumOrder || m > kMagicMaximumOrder)
    throw Error(
        ErrorKind::Usage, "there is no kinetic filter of order " + std::to_string(m),
        "choose an order from " + std::to_string(kKineticMinimumOrder) + " to " + std::to_string(kMagicMaximumOrder));
  const std::vector<Quad> a = solved(equations(orthogonalLowPass(m, PhaseChoice::LeastAsymmetric)));
  std::vector<double> taps;
  for (std::size_t i = a.size(); i-- > 0;) taps.push_back(static_cast<double>(-a[i] / 2));
  for (std::size_t i = 1; i < a.size(); ++i) taps.push_back(static_cast<double>(-a[i] / 2));
  return taps;
}

}  // namespace sscope
