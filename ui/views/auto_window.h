#pragma once
// A window chosen from the values.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/volume/volume.h"

namespace sscope {

// About `count` finite values spread evenly over the volume; component -1 takes all components. Touches only those.
[[nodiscard]] std::vector<double> sampleValues(const Volume& volume, int component, std::size_t count = 1U << 15);

// The value below which `fraction` (0..1) of the samples lie; reorders them. 0 for no samples.
template <class T>
[[nodiscard]] double percentile(std::vector<T>& samples, double fraction) {
  if (samples.empty()) return 0;
  const auto rank = static_cast<std::ptrdiff_t>(std::lround(fraction * static_cast<double>(samples.size() - 1)));
  std::nth_element(samples.begin(), samples.begin() + rank, samples.end());
  return static_cast<double>(samples[static_cast<std::size_t>(rank)]);
}

// Percentiles 1 to 99, never empty; symmetric about zero where the samples have both signs in earnest.
[[nodiscard]] std::array<double, 2> automaticWindow(std::vector<double> samples);

// As above for a volume; 0..255 where it is an 8-bit color image.
[[nodiscard]] std::array<double, 2> automaticWindow(const Volume& volume, int component);

}  // namespace sscope
