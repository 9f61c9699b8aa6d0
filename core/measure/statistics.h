#pragma once
// Order statistics of repeated timings.

#include <span>

namespace sscope {

struct Spread {
  double minimum = 0, firstQuartile = 0, median = 0, thirdQuartile = 0, maximum = 0;
};

// Quartiles interpolate linearly between the sorted samples (the usual "type 7"). All zero without samples.
[[nodiscard]] Spread spreadOf(std::span<const double> samples);
[[nodiscard]] double medianOf(std::span<const double> samples);

}  // namespace sscope
