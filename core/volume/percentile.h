#pragma once
// Order statistics of samples.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace sscope {

// The value below which `fraction` (0..1) of the samples lie; reorders them. 0 for no samples.
template <class T>
[[nodiscard]] double percentile(std::vector<T>& samples, double fraction) {
  if (samples.empty()) return 0;
  const auto rank = static_cast<std::ptrdiff_t>(std::lround(fraction * static_cast<double>(samples.size() - 1)));
  std::nth_element(samples.begin(), samples.begin() + rank, samples.end());
  return static_cast<double>(samples[static_cast<std::size_t>(rank)]);
}

}  // namespace sscope
