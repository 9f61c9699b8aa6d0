#include "core/filter/rank_window.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/words.h"

namespace sscope {

namespace {

bool within(WindowShape shape, const std::array<std::int64_t, 3>& at, std::int64_t size) {
  const std::int64_t squared = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
  switch (shape) {
    case WindowShape::Box: return true;
    case WindowShape::Ball: return 4 * squared <= (size - 1) * (size - 1);
    case WindowShape::Cross: return (at[0] != 0) + (at[1] != 0) + (at[2] != 0) <= 1;
  }
  return false;
}

[[noreturn]] void refuseSize(const std::string& what, std::int64_t size, const std::string& remedy) {
  throw Error(ErrorKind::Usage, what + " cannot be " + std::to_string(size) + " voxels wide", remedy);
}

RankWindow windowOf(WindowShape shape, std::int64_t size, int dimensions) {
  const std::int64_t reach = size / 2, deep = dimensions == 3 ? size : 1;
  RankWindow made;
  made.size = {size, size, deep};
  made.anchor = {reach, reach, deep / 2};
  made.members.clear();
  for (std::int64_t z = 0; z < deep; ++z)
    for (std::int64_t y = 0; y < size; ++y)
      for (std::int64_t x = 0; x < size; ++x)
        if (within(shape, {x - reach, y - reach, z - deep / 2}, size)) made.members.push_back({x, y, z});
  return made;
}

RankWindow oddWindow(WindowShape shape, std::int64_t size, int dimensions, const std::string& what) {
  if (size < 1 || size > kLargestWindow || size % 2 == 0)
    refuseSize("the window of a " + what, size, "choose an odd number from 3 to " + std::to_string(kLargestWindow));
  return windowOf(shape, size, dimensions);
}

}  // namespace

std::map<std::int64_t, std::vector<std::array<std::int64_t, 3>>> RankWindow::linesByLength() const {
  std::map<std::int64_t, std::vector<std::array<std::int64_t, 3>>> lines;
  std::vector<std::array<std::int64_t, 3>> sorted = members;
  std::ranges::sort(sorted, {}, [](const auto& at) { return std::array{at[2], at[1], at[0]}; });
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t end = first + 1;
    while (end < sorted.size() && sorted[end][2] == sorted[first][2] && sorted[end][1] == sorted[first][1] &&
           sorted[end][0] == sorted[end - 1][0] + 1)
      ++end;
    lines[static_cast<std::int64_t>(end - first)].push_back(sorted[first]);
    first = end;
  }
  return lines;
}

std::int64_t RankWindow::lines() const {
  std::int64_t count = 0;
  for (const auto& [length, begins] : linesByLength()) count += std::ssize(begins);
  return count;
}

std::string RankWindow::text() const {
  const std::string of = " of " + counted(count(), "value");
  if (minimum()) return "the minimum" + of;
  if (maximum()) return "the maximum" + of;
  if (median()) return "the median" + of;
  return "value " + std::to_string(rank + 1) + " of " + std::to_string(count()) + " in order";
}

RankWindow minimumWindow(WindowShape shape, std::int64_t size, int dimensions) {
  if (size < 1 || size > kLargestWindow)
    refuseSize("a window", size, "choose a number from 1 to " + std::to_string(kLargestWindow));
  if (shape != WindowShape::Box && size % 2 == 0)
    refuseSize("a ball or a cross", size, "choose an odd number, or shape=box");
  return windowOf(shape, size, dimensions);
}

RankWindow maximumWindow(WindowShape shape, std::int64_t size, int dimensions) {
  RankWindow made = minimumWindow(shape, size, dimensions);
  made.rank = made.count() - 1;
  return made;
}

RankWindow medianWindow(WindowShape shape, std::int64_t size, int dimensions) {
  RankWindow made = oddWindow(shape, size, dimensions, "median");
  made.rank = made.count() / 2;
  return made;
}

RankWindow percentileWindow(WindowShape shape, std::int64_t size, int dimensions, double percent) {
  if (!(percent >= 0 && percent <= 100))
    throw Error(ErrorKind::Usage, "there is no such percentile", "choose a number from 0 to 100");
  RankWindow made = oddWindow(shape, size, dimensions, "percentile");
  constexpr double kRounding = 1e-9;  // rounding error of a whole number
  const double share = percent * static_cast<double>(made.count()) / 100;
  made.rank = std::clamp<std::int64_t>(std::llround(std::ceil(share - kRounding)) - 1, 0, made.count() - 1);
  return made;
}

namespace {

template <class Key, class Number>
std::int64_t keyOf(Number number) {
  const auto bits = std::bit_cast<Key>(number);
  return bits ^ (bits < 0 ? std::numeric_limits<Key>::max() : Key{0});
}

// The key of the smallest number that reaches the edge; -0 also reaches zero.
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
    throw Error(ErrorKind::Usage, "the range from low to high is empty", "choose a low below high");
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
