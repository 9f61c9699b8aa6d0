#include "core/filter/families/tap_design.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/filter/grid.h"
#include "core/filter/stencil.h"

namespace sscope {

namespace {

using Row = std::vector<long double>;

// Solves a small system by elimination with pivots.
Row solved(std::vector<Row> matrix, Row right) {
  const std::size_t n = right.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(matrix[i][k]) > std::abs(matrix[pivot][k])) pivot = i;
    std::swap(matrix[k], matrix[pivot]);
    std::swap(right[k], right[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const long double factor = matrix[i][k] / matrix[k][k];
      for (std::size_t j = k; j < n; ++j) matrix[i][j] -= factor * matrix[k][j];
      right[i] -= factor * right[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) right[k] -= matrix[k][j] * right[j];
    right[k] /= matrix[k][k];
  }
  return right;
}

long double factorial(int n) { return n < 2 ? 1.0L : static_cast<long double>(n) * factorial(n - 1); }

// weight(x) times a polynomial of the powers order, order - 2, ... and of those up to `degree` of the same parity,
// whose moments are order! for the power `order` and 0 for the others. Positions are divided by `scale` in between.
template <class Weight>
AxisTaps momentTaps(std::int64_t half, int degree, int order, long double scale, Weight&& weight) {
  std::vector<int> powers;
  for (int power = order % 2; power <= degree; power += 2) powers.push_back(power);
  const std::size_t n = powers.size();
  std::vector<Row> moments(n, Row(n));
  Row wanted(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (powers[i] == order) wanted[i] = factorial(order) / std::pow(scale, static_cast<long double>(order));
    for (std::size_t j = 0; j < n; ++j)
      for (std::int64_t x = -half; x <= half; ++x)
        moments[i][j] += weight(x) * std::pow(static_cast<long double>(x) / scale, powers[i] + powers[j]);
  }
  const Row factors = solved(std::move(moments), std::move(wanted));
  AxisTaps taps;
  taps.anchor = half;
  taps.weights.clear();
  for (std::int64_t x = -half; x <= half; ++x) {
    long double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += factors[i] * std::pow(static_cast<long double>(x) / scale, powers[i]);
    taps.weights.push_back(static_cast<double>(weight(x) * sum));
  }
  return taps;
}

}  // namespace

std::array<Option, 3> orderOptions() {
  constexpr int kHighest = 4;
  const auto order = [](const char* name, const char* label) {
    return integerOption(name, label, 0, 0, kHighest, "Order of the derivative along this axis.");
  };
  return {order("order_x", "Order x"), order("order_y", "Order y"), order("order_z", "Order z")};
}

std::array<int, 3> ordersOf(const OptionValues& values, const FilterGrid& grid) {
  const std::array<int, 3> orders{static_cast<int>(integerOf(values, "order_x")),
                                  static_cast<int>(integerOf(values, "order_y")),
                                  static_cast<int>(integerOf(values, "order_z"))};
  if (grid.dimensions == 2 && orders[2] != 0)
    throw Error(ErrorKind::Usage, "order_z needs a volume, and this image has one slice", "set order_z=0");
  return orders;
}

AxisTaps fittedPolynomialTaps(std::int64_t half, int degree, int order) {
  return momentTaps(half, degree, order, static_cast<long double>(half), [](std::int64_t) { return 1.0L; });
}

AxisTaps gaussianDerivativeTaps(double sigma, int order, double truncate) {
  if (order <= 2) return gaussianTaps(sigma, order, truncate);
  const auto half = std::max<std::int64_t>(2, static_cast<std::int64_t>(std::floor(truncate * sigma + 0.5)));
  const long double wide = sigma;
  return momentTaps(half, order, order, wide,
                    [&](std::int64_t x) { return std::exp(-static_cast<long double>(x * x) / (2 * wide * wide)); });
}

double windowWeight(const std::string& window, double place, double half) {
  const double angle = std::numbers::pi * place / (half + 1);
  if (window == "hamming") return 0.54 + 0.46 * std::cos(angle);
  if (window == "hann") return 0.5 + 0.5 * std::cos(angle);
  return 0.42 + 0.5 * std::cos(angle) + 0.08 * std::cos(2 * angle);
}

AxisTaps lowpassTaps(double cutoff, std::int64_t half, const std::string& window) {
  AxisTaps taps;
  taps.anchor = half;
  taps.weights.clear();
  double sum = 0;
  for (std::int64_t i = -half; i <= half; ++i) {
    const auto x = static_cast<double>(i);
    const double ideal = i == 0 ? 2 * cutoff : std::sin(2 * std::numbers::pi * cutoff * x) / (std::numbers::pi * x);
    taps.weights.push_back(ideal * windowWeight(window, x, static_cast<double>(half)));
    sum += taps.weights.back();
  }
  return scaled(std::move(taps), 1 / sum);
}

AxisTaps hilbertTaps(std::int64_t half, const std::string& window) {
  AxisTaps taps;
  taps.anchor = half;
  taps.weights.clear();
  for (std::int64_t i = -half; i <= half; ++i) {
    const auto x = static_cast<double>(i);
    // Mirrored, because taps are correlated with the data.
    taps.weights.push_back(
        i % 2 == 0 ? 0 : -2 / (std::numbers::pi * x) * windowWeight(window, x, static_cast<double>(half)));
  }
  return taps;
}

namespace {

// The inverse transform of |f| in -1/2..1/2, at any place.
double idealRamp(double x) {
  const double turns = std::numbers::pi * x;
  return x == 0 ? 0.25 : std::sin(turns) / (2 * turns) + (std::cos(turns) - 1) / (2 * turns * turns);
}

// A cosine in frequency is two shifts in space.
double weightedRamp(double x, const std::string& window) {
  if (window == "shepp-logan") return -2 / (std::numbers::pi * std::numbers::pi * (4 * x * x - 1));
  if (window == "cosine") return (idealRamp(x - 0.5) + idealRamp(x + 0.5)) / 2;
  const double cosine = window == "hann" ? 0.5 : window == "hamming" ? 0.46 : 0;
  return (1 - cosine) * idealRamp(x) + cosine / 2 * (idealRamp(x - 1) + idealRamp(x + 1));
}

}  // namespace

AxisTaps rampTaps(std::int64_t half, const std::string& window) {
  AxisTaps taps;
  taps.anchor = half;
  taps.weights.clear();
  std::vector<double> correction;
  double sum = 0, total = 0;
  for (std::int64_t i = -half; i <= half; ++i) {
    const auto x = static_cast<double>(std::abs(i));  // so that both sides have the same bits
    taps.weights.push_back(weightedRamp(x, window));
    correction.push_back(windowWeight("hann", x, static_cast<double>(half)));
    sum += taps.weights.back();
    total += correction.back();
  }
  for (std::size_t i = 0; i < taps.weights.size(); ++i) taps.weights[i] -= sum / total * correction[i];
  return taps;
}

Option azimuthOption() {
  return realOption("azimuth", "Azimuth", 0, -360, 360, "degrees", "The direction's angle from x toward y.");
}

Option elevationOption() {
  return realOption("elevation", "Elevation", 0, -90, 90, "degrees", "The direction's angle toward z, in volumes.");
}

std::array<double, 3> directionOf(const OptionValues& values, const FilterGrid& grid) {
  constexpr double kDegree = std::numbers::pi / 180;
  const double azimuth = realOf(values, "azimuth") * kDegree, elevation = realOf(values, "elevation") * kDegree;
  if (grid.dimensions == 2 && elevation != 0)
    throw Error(ErrorKind::Usage, "elevation needs a volume, and this image has one slice", "set elevation=0");
  std::array<double, 3> unit{std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
                             std::sin(elevation)};
  constexpr double kRounding = 1e-12;  // so that a direction along an axis is exact
  for (double& part : unit)
    if (std::abs(part) < kRounding) part = 0;
  return unit;
}

DenseTaps limitedTaps(const std::array<std::int64_t, 3>& size) {
  if (size[0] * size[1] * size[2] > kMostDesignedTaps)
    throw Error(ErrorKind::Usage,
                "the filter would have " + std::to_string(size[0] * size[1] * size[2]) + " taps, and at most " +
                    std::to_string(kMostDesignedTaps) + " are possible",
                "choose a shorter length");
  return boxOfTaps(size);
}

}  // namespace sscope
