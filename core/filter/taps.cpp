#include "core/filter/taps.h"

#include <cmath>

namespace sscope {

namespace {
std::int64_t radiusOf(double sigma, double truncate) {
  return static_cast<std::int64_t>(std::floor(truncate * sigma + 0.5));  // scipy.ndimage's rounding
}
}  // namespace

AxisTaps gaussianTaps(double sigma, int order, double truncate) {
  if (sigma <= 0) return {};
  const std::int64_t radius = std::max<std::int64_t>(radiusOf(sigma, truncate), order > 0 ? 1 : 0);
  AxisTaps taps;
  taps.anchor = radius;
  taps.weights.clear();
  double sum = 0, sumXX = 0;
  for (std::int64_t i = -radius; i <= radius; ++i) {
    const auto x = static_cast<double>(i);
    const double g = std::exp(-x * x / (2 * sigma * sigma));
    taps.weights.push_back(g);
    sum += g;
    sumXX += g * x * x;
  }
  for (std::int64_t i = -radius; i <= radius; ++i) {
    const auto x = static_cast<double>(i);
    double& w = taps.weights[static_cast<std::size_t>(i + radius)];
    if (order == 0) {
      w /= sum;
    } else if (order == 1) {
      w *= x / sumXX;  // sum w x = 1
    } else {
      w *= x * x / sumXX - 1 / sum;  // sum w = 0; scaled below so that sum w x^2 = 2
    }
  }
  if (order == 2) {
    double moment = 0;
    for (std::int64_t i = -radius; i <= radius; ++i)
      moment += taps.weights[static_cast<std::size_t>(i + radius)] * static_cast<double>(i * i);
    for (double& w : taps.weights) w *= 2 / moment;
  }
  return taps;
}

double gaussianTailMass(double sigma, double truncate) {
  if (sigma <= 0) return 0;
  const std::int64_t radius = radiusOf(sigma, truncate);
  const std::int64_t far = static_cast<std::int64_t>(std::ceil(12 * sigma)) + 1;
  double kept = 0, lost = 0;
  for (std::int64_t i = -far; i <= far; ++i) {
    const auto x = static_cast<double>(i);
    (std::abs(i) <= radius ? kept : lost) += std::exp(-x * x / (2 * sigma * sigma));
  }
  return lost / (kept + lost);
}

AxisTaps boxTaps(std::int64_t n) {
  return {std::vector<double>(static_cast<std::size_t>(n), 1.0 / static_cast<double>(n)), n / 2};
}

AxisTaps scaled(AxisTaps taps, double factor) {
  for (double& w : taps.weights) w *= factor;
  return taps;
}

DenseTaps boxOfTaps(const std::array<std::int64_t, 3>& size) {
  DenseTaps taps;
  taps.size = size;
  for (std::size_t a = 0; a < 3; ++a) taps.anchor[a] = size[a] / 2;
  taps.weights.assign(static_cast<std::size_t>(taps.count()), 0.0);
  return taps;
}

}  // namespace sscope
