#pragma once
// Waves with noise of standard deviation 5 on them.

#include <cmath>
#include <random>

#include "core/volume/volume.h"

namespace sscope::test {

struct NoisyWaves {
  static constexpr std::int64_t kX = 96, kY = 80;
  Volume clean{{kX, kY, 1, 1}, ElementType::f32}, noisy{{kX, kY, 1, 1}, ElementType::f32};
  NoisyWaves() {
    std::mt19937 random(3);
    std::normal_distribution<float> noise(0, 5);
    for (std::int64_t i = 0; i < kX * kY; ++i) {
      const auto x = static_cast<float>(i % kX), y = static_cast<float>(i / kX);
      const auto at = static_cast<std::size_t>(i);
      clean.elements<float>()[at] = 100 * std::sin(0.06F * x) * std::cos(0.05F * y);
      noisy.elements<float>()[at] = clean.elements<float>()[at] + noise(random);
    }
  }
};

// The root of the mean square of the differences of two images.
[[nodiscard]] inline double distance(const Volume& a, const Volume& b) {
  double sum = 0;
  for (std::int64_t y = 0; y < a.shape().ny; ++y)
    for (std::int64_t x = 0; x < a.shape().nx; ++x) sum += std::pow(a.value(x, y, 0) - b.value(x, y, 0), 2);
  return std::sqrt(sum / static_cast<double>(a.shape().voxels()));
}

}  // namespace sscope::test
