#pragma once
// Order statistics of samples and repeated timings.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace sscope {

struct Spread {
  double minimum = 0, firstQuartile = 0, median = 0, thirdQuartile = 0, maximum = 0;
};

// Quartiles interpolate linearly between the sorted samples (the usual "type 7"). All zero without samples.
[[nodiscard]] Spread spreadOf(std::span<const double> samples);
[[nodiscard]] double medianOf(std::span<const double> samples);

// Order statistics of samples.

// The value below which `fraction` (0..1) of the samples lie; reorders them. 0 for no samples.
template <class T>
[[nodiscard]] double percentile(std::vector<T>& samples, double fraction) {
  if (samples.empty()) return 0;
  const auto rank = static_cast<std::ptrdiff_t>(std::lround(fraction * static_cast<double>(samples.size() - 1)));
  std::nth_element(samples.begin(), samples.begin() + rank, samples.end());
  return static_cast<double>(samples[static_cast<std::size_t>(rank)]);
}

}  // namespace sscope
