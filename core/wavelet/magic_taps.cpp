#include "core/wavelet/magic_taps.h"

#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/wavelet/spectral_factor.h"

namespace sscope {

namespace {

// M_l = integral of phi(x) x^l for l < count, phi(x) = sqrt(2) sum_k h_k phi(2x - k), h_k at k = -m..m-1. Substituting
// 2x = u + k on the right gives M_l (2^l - 1) = sum_{i<l} C(l, i) M_i sum_k (h_k / sqrt(2)) k^(l-i).
std::vector<Quad> scalingMoments(const std::vector<Quad>& lowPass, int m, std::size_t count) {
  std::vector<Quad> tapMoments(count, Quad(0));
  for (std::size_t t = 0; t < lowPass.size(); ++t) {
    const Quad k = Quad(static_cast<double>(t)) - Quad(m);
    Quad power = lowPass[t] / squareRoot(Quad(2));
    for (Quad& moment : tapMoments) {
      moment += power;
      power *= k;
    }
  }
  std::vector<Quad> moments{1};
  Quad twoToL = 1;
  for (std::size_t l = 1; l < count; ++l) {
    twoToL *= 2;
    Quad sum = 0, binomial = 1;
    for (std::size_t i = 0; i < l; ++i) {
      sum += binomial * moments[i] * tapMoments[l - i];
      binomial = binomial * Quad(static_cast<double>(l - i)) / Quad(static_cast<double>(i + 1));
    }
    moments.push_back(sum / (twoToL - 1));
  }
  return moments;
}

// The weight at position j solves the transposed Vandermonde system: it is the integral of the polynomial of Lagrange
// that is one at j and zero at the other positions, so its coefficients are multiplied by the moments.
Quad weightAt(int j, int m, const std::vector<Quad>& moments) {
  std::vector<Quad> polynomial{1};
  Quad denominator = 1;
  for (int other = -m; other < m; ++other) {
    if (other == j) continue;
    polynomial.push_back(0);
    for (std::size_t l = polynomial.size() - 1; l > 0; --l)
      polynomial[l] = polynomial[l - 1] - Quad(other) * polynomial[l];
    polynomial[0] *= -Quad(other);
    denominator *= Quad(j - other);
  }
  Quad sum = 0;
  for (std::size_t l = 0; l < polynomial.size(); ++l) sum += polynomial[l] * moments[l];
  return sum / denominator;
}

}  // namespace

std::vector<double> magicTaps(int m) {
  if (m < 1 || m > kMagicMaximumOrder)
    throw Error(ErrorKind::Usage, "there is no magic filter of order " + std::to_string(m),
                "choose an order from 1 to " + std::to_string(kMagicMaximumOrder));
  const std::vector<Quad> lowPass = orthogonalLowPass(m, PhaseChoice::LeastAsymmetric);
  const std::vector<Quad> moments = scalingMoments(lowPass, m, lowPass.size());
  std::vector<double> taps;
  for (int j = -m; j < m; ++j) taps.push_back(static_cast<double>(weightAt(j, m, moments)));
  return taps;
}

namespace {

using Matrix = std::vector<std::vector<Quad>>;  // rows, with the right side as their last element

// Gaussian elimination with pivots of the column.
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
