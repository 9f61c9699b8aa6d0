#pragma once
// Scaling functions, wavelets and filters sampled as curves.

#include <span>
#include <vector>

#include "core/wavelet/wavelet.h"

namespace sscope {

// Values at begin + i * step.
struct SampledCurve {
  double begin = 0, step = 1;
  std::vector<double> values;
};

// phi(x) = sqrt(2) sum_k recLow[k] phi(2x - k) on its support 0..2N-1 at multiples of 2^-depth, exact at these points
// up to rounding: the values at integers are the eigenvector of the two-scale relation, finer ones follow from it. The
// integral is 1. depth 0..16.
[[nodiscard]] SampledCurve scalingFunction(const Wavelet& wavelet, int depth);
// psi(x) = sqrt(2) sum_k recHigh[k] phi(2x - k), at the same points.
[[nodiscard]] SampledCurve waveletFunction(const Wavelet& wavelet, int depth);

// |H(w)| = |sum_k taps[k] e^-ikw| at `samples` >= 2 angular frequencies evenly over 0..pi, ends included.
[[nodiscard]] std::vector<double> magnitudeResponse(std::span<const double> taps, std::size_t samples);

// The error of the magic filter of this order followed by its adjoint, on a wave: |W(w)|^2 - 1, at the same
// frequencies.
[[nodiscard]] std::vector<double> magicRoundTripError(int order, std::size_t samples);

}  // namespace sscope
