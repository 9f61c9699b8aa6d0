#include "core/wavelet/magic_taps.h"

#include <string>

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

}  // namespace sscope
