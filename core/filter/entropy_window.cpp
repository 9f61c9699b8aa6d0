#include "core/filter/entropy_window.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/base/error.h"

namespace sscope {

namespace {

template <class Key, class Number>
std::int64_t keyOf(Number number) {
  const auto bits = std::bit_cast<Key>(number);
  return bits ^ (bits < 0 ? std::numeric_limits<Key>::max() : Key{0});
}

// The key of the smallest number that has reached the edge; zero is reached by -0, too.
template <class Key, class Number>
std::int64_t thresholdOf(double edge) {
  auto number = static_cast<Number>(edge);
  if (static_cast<double>(number) < edge) number = std::nextafter(number, std::numeric_limits<Number>::infinity());
  return keyOf<Key>(number == 0 ? -Number{0} : number);
}

// n log2 n in units.
std::int64_t termOf(std::int64_t n) {
  if (n < 2) return 0;
  const auto number = static_cast<double>(n);
  return std::llround(number * std::log2(number) / kEntropyUnit);
}

}  // namespace

EntropyWindow entropyWindow(WindowShape shape, std::int64_t size, int dimensions, std::int64_t bins, double low,
                            double high) {
  if (!(low < high && std::isfinite(high - low)))
    throw Error(ErrorKind::Usage, "there is nothing between low and high", "choose a low below high");
  EntropyWindow window{medianWindow(shape, size, dimensions), bins, low, high};
  window.shape.rank = 0;
  return window;
}

std::vector<double> binEdges(const EntropyWindow& window) {
  std::vector<double> edges;
  for (std::int64_t b = 1; b < window.bins; ++b)
    edges.push_back(window.low +
                    (window.high - window.low) * (static_cast<double>(b) / static_cast<double>(window.bins)));
  return edges;
}

std::int64_t binOf(std::span<const double> edges, double value) {
  return std::ranges::upper_bound(edges, value) - edges.begin();
}

std::vector<std::int64_t> binThresholds(const EntropyWindow& window, ElementType ordered) {
  std::vector<std::int64_t> thresholds;
  for (const double edge : binEdges(window)) {
    if (ordered == ElementType::f32) {
      thresholds.push_back(thresholdOf<std::int32_t, float>(edge));
    } else if (ordered == ElementType::f64) {
      thresholds.push_back(thresholdOf<std::int64_t, double>(edge));
    } else if (edge <= highestOf(ordered)) {
      thresholds.push_back(static_cast<std::int64_t>(std::ceil(std::max(edge, lowestOf(ordered)))));
    }
  }
  if (ordered == ElementType::f32) thresholds.push_back(std::numeric_limits<std::int32_t>::max());
  if (ordered == ElementType::f64) thresholds.push_back(std::numeric_limits<std::int64_t>::max());
  return thresholds;
}

std::vector<std::int64_t> entropySteps(std::int64_t count) {
  std::vector<std::int64_t> steps;
  for (std::int64_t n = 0; n < count; ++n) steps.push_back(termOf(n + 1) - termOf(n));
  return steps;
}

double entropyPerValue(std::int64_t count) {
  constexpr double kPerBit = 1.5;  // more than 1 / ln 2
  const auto number = static_cast<double>(count);
  return (std::log2(number) + kPerBit) / number;
}

}  // namespace sscope
