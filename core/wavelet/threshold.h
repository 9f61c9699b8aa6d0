#pragma once
// Denoising by setting small wavelet coefficients to zero (D. Donoho and I. Johnstone, Ideal spatial adaptation by
// wavelet shrinkage, 1994).

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/control.h"
#include "core/volume/array_view.h"
#include "core/wavelet/pyramid.h"

namespace sscope {

enum class ThresholdMode : std::uint8_t {
  Soft,  // shrinks towards zero by the threshold: smooth results
  Hard   // keeps what is larger as it is: sharp results, more artifacts
};
[[nodiscard]] std::string_view toString(ThresholdMode mode);  // "soft", "hard"
[[nodiscard]] std::optional<ThresholdMode> parseThresholdMode(std::string_view text);

struct ThresholdSuggestion {
  double sigma = 0;      // estimated standard deviation of the noise
  double threshold = 0;  // sigma sqrt(2 ln n), n samples
};
// VisuShrink's universal threshold. sigma is the median of |coefficient| over the finest diagonal band (high along
// every transformed axis), divided by the normal distribution's 0.6745. Coefficients as in bandEnergies. Throws
// Canceled.
[[nodiscard]] ThresholdSuggestion suggestThreshold(const ConstArrayView& coefficients, const Pyramid& pyramid,
                                                   const Control& control = {});

// What is left of one coefficient.
template <class T>
[[nodiscard]] T thresholded(T coefficient, double threshold, ThresholdMode mode) {
  const auto value = static_cast<double>(coefficient);
  if (std::abs(value) <= threshold) return 0;
  if (mode == ThresholdMode::Hard) return coefficient;
  return static_cast<T>(value > 0 ? value - threshold : value + threshold);
}

// Writes `from` after the threshold to `to`, which has the same type and strides and may be the same: coefficients with
// |c| <= threshold become zero, the others what `mode` says; the averages stay. threshold >= 0. Returns what is left of
// each band. Throws Canceled, with a part of it done.
std::vector<BandEnergy> applyThreshold(const ConstArrayView& from, const ArrayView& to, const Pyramid& pyramid,
                                       double threshold, ThresholdMode mode, const Control& control = {});

}  // namespace sscope
