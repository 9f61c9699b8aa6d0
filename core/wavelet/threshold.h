#pragma once
// Denoising by setting small wavelet coefficients to zero (D. Donoho and I. Johnstone, Ideal spatial adaptation by
// wavelet shrinkage, 1994).

#include <cstdint>
#include <optional>
#include <string_view>

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
// every transformed axis), divided by the normal distribution's 0.6745. Coefficients as in bandEnergies.
[[nodiscard]] ThresholdSuggestion suggestThreshold(const ConstArrayView& coefficients, const Pyramid& pyramid);

// Sets coefficients with |c| <= threshold to zero and treats the others as `mode` says; the averages stay. threshold >=
// 0. Returns how many coefficients became zero or were.
std::int64_t applyThreshold(const ArrayView& coefficients, const Pyramid& pyramid, double threshold,
                            ThresholdMode mode);

}  // namespace sscope
