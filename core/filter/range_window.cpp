#include "core/filter/range_window.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "core/base/error.h"

namespace sscope {

double rangeScale(const RangeWindow& window) {
  return std::sqrt(0.5 * std::numbers::log2e / static_cast<double>(window.patchCount())) / window.range;
}

double rangeFloor(const RangeWindow& window) {
  const double ratio = std::sqrt(window.floor) / window.range;
  return 0.5 * std::numbers::log2e * ratio * ratio;
}

std::vector<double> rangeExponents(const RangeWindow& window) {
  std::vector<double> exponents;
  for (std::int64_t k = -window.reach[2]; k <= window.reach[2]; ++k)
    for (std::int64_t j = -window.reach[1]; j <= window.reach[1]; ++j)
      for (std::int64_t i = -window.reach[0]; i <= window.reach[0]; ++i)
        exponents.push_back(-std::numbers::log2e * (window.falloff[0] * static_cast<double>(i * i) +
                                                    window.falloff[1] * static_cast<double>(j * j) +
                                                    window.falloff[2] * static_cast<double>(k * k)));
  exponents[exponents.size() / 2] = -std::numeric_limits<double>::infinity();
  return exponents;
}

// Counts the roundings of the scale (twice), a difference, a product and a square (twice each if squared), the sums of
// a patch, and the exponents; then 4 for an exponential, 2 for a product with its difference, and the sums.
double rangeError(const RangeWindow& window) {
  constexpr double kUnit = 0x1p-24, kLargestExponent = 30;
  const double sums = static_cast<double>(2 * (window.patch[0] + window.patch[1] + window.patch[2]));
  const double exponent = kLargestExponent + 0.5 * window.floor / (window.range * window.range);
  const auto width = [&](std::size_t a) { return static_cast<double>(2 * window.reach[a] + 1); };
  const double roundings =
      window.patchCount() > 1 ? static_cast<double>(window.count()) : width(0) * width(1) + width(2) + 1;
  return 1.05 * 2 * kUnit * ((10 + sums) * exponent + 6 + roundings);
}

RangeWindow bilateralWindow(const std::array<double, 3>& sigma, double range, std::int64_t radius, double truncate) {
  RangeWindow window;
  window.range = range;
  for (std::size_t a = 0; a < 3; ++a) {
    if (!(sigma[a] > 0)) continue;
    window.falloff[a] = 1 / (2 * sigma[a] * sigma[a]);
    window.reach[a] = radius > 0 ? radius : static_cast<std::int64_t>(std::floor(truncate * sigma[a] + 0.5));
    if (window.reach[a] > kLargestReach)
      throw Error(ErrorKind::Usage,
                  "the window would reach " + std::to_string(window.reach[a]) + " voxels far, and at most " +
                      std::to_string(kLargestReach) + " are possible",
                  "choose a shorter sigma, a smaller truncate or a radius");
  }
  return window;
}

RangeWindow nonLocalWindow(double noise, double strength, std::int64_t search, std::int64_t patch, int dimensions) {
  RangeWindow window;
  for (std::size_t a = 0; a < static_cast<std::size_t>(dimensions); ++a) {
    window.reach[a] = search;
    window.patch[a] = patch;
  }
  window.range = std::clamp(strength * noise / std::numbers::sqrt2, kSmallestRange, kLargestRange);
  window.floor = 2 * noise * noise;
  return window;
}

}  // namespace sscope
