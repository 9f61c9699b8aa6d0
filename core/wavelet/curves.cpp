#include "core/wavelet/curves.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "core/base/error.h"
#include "core/wavelet/magic_taps.h"

namespace sscope {

namespace {

// Gaussian elimination with the largest pivot; rows are equations with the right side last.
std::vector<double> solved(std::vector<std::vector<double>> rows) {
  const std::size_t n = rows.size();
  for (std::size_t c = 0; c < n; ++c) {
    const auto below = rows.begin() + static_cast<std::ptrdiff_t>(c);
    std::iter_swap(below, std::max_element(below, rows.end(), [c](const auto& a, const auto& b) {
                     return std::abs(a[c]) < std::abs(b[c]);
                   }));
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const double factor = rows[r][c] / rows[c][c];
      for (std::size_t k = c; k <= n; ++k) rows[r][k] -= factor * rows[c][k];
    }
  }
  std::vector<double> result(n);
  for (std::size_t r = 0; r < n; ++r) result[r] = rows[r][n] / rows[r][r];
  return result;
}

// phi(i) for i = 0..2N-1: phi(i) = sqrt(2) sum_j recLow[2i - j] phi(j), and all of them sum to 1. Both ends are zero
// but for Haar's box, which is one at its left end.
std::vector<double> integerValues(const Wavelet& wavelet) {
  if (wavelet.taps() == 2) return {1, 0};
  const auto inner = static_cast<std::size_t>(wavelet.taps() - 2);
  std::vector<std::vector<double>> rows(inner, std::vector<double>(inner + 1, 0.0));
  for (std::size_t r = 0; r + 1 < inner; ++r)
    for (std::size_t c = 0; c < inner; ++c) {
      const std::size_t i = r + 1, j = c + 1;
      if (2 * i >= j && 2 * i - j < wavelet.recLow.size()) rows[r][c] = std::numbers::sqrt2 * wavelet.recLow[2 * i - j];
      if (r == c) rows[r][c] -= 1;
    }
  std::fill(rows.back().begin(), rows.back().end(), 1.0);
  std::vector<double> values = solved(std::move(rows));
  values.insert(values.begin(), 0.0);
  values.push_back(0.0);
  return values;
}

// sqrt(2) sum_k taps[k] phi(2x - k) at x = i / scale from phi at the same points; i < count.
double twoScale(const std::vector<double>& taps, const std::vector<double>& phi, std::size_t i, std::size_t scale) {
  double sum = 0;
  for (std::size_t k = 0; k < taps.size() && k * scale <= 2 * i; ++k)
    if (const std::size_t at = 2 * i - k * scale; at < phi.size()) sum += taps[k] * phi[at];
  return std::numbers::sqrt2 * sum;
}

void requireDepth(int depth) {
  if (depth < 0 || depth > 16)
    throw Error(ErrorKind::Usage, "a curve cannot have depth " + std::to_string(depth), "choose 0 to 16");
}

}  // namespace

SampledCurve scalingFunction(const Wavelet& wavelet, int depth) {
  requireDepth(depth);
  std::vector<double> phi = integerValues(wavelet);
  std::size_t scale = 1;
  for (int level = 0; level < depth; ++level) {
    // phi at odd multiples of half the step needs phi at multiples of the step only.
    std::vector<double> finer(2 * (phi.size() - 1) + 1);
    for (std::size_t i = 0; i < finer.size(); ++i) {
      if (i % 2 == 0) {
        finer[i] = phi[i / 2];
        continue;
      }
      double sum = 0;
      for (std::size_t k = 0; k < wavelet.recLow.size() && k * scale <= i; ++k)
        if (i - k * scale < phi.size()) sum += wavelet.recLow[k] * phi[i - k * scale];
      finer[i] = std::numbers::sqrt2 * sum;
    }
    phi = std::move(finer);
    scale *= 2;
  }
  return {0, 1.0 / static_cast<double>(scale), std::move(phi)};
}

SampledCurve waveletFunction(const Wavelet& wavelet, int depth) {
  const SampledCurve phi = scalingFunction(wavelet, depth);
  SampledCurve psi = phi;
  for (std::size_t i = 0; i < psi.values.size(); ++i)
    psi.values[i] = twoScale(wavelet.recHigh, phi.values, i, std::size_t{1} << depth);
  return psi;
}

std::vector<double> magnitudeResponse(std::span<const double> taps, std::size_t samples) {
  std::vector<double> response(samples);
  for (std::size_t i = 0; i < samples; ++i) {
    const double w = std::numbers::pi * static_cast<double>(i) / static_cast<double>(samples - 1);
    std::complex<double> sum = 0;
    for (std::size_t k = 0; k < taps.size(); ++k) sum += taps[k] * std::polar(1.0, -w * static_cast<double>(k));
    response[i] = std::abs(sum);
  }
  return response;
}

std::vector<double> magicRoundTripError(int order, std::size_t samples) {
  std::vector<double> error = magnitudeResponse(magicTaps(order), samples);
  for (double& value : error) value = value * value - 1;
  return error;
}

}  // namespace sscope
