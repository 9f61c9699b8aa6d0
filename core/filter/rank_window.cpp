#include "core/filter/rank_window.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

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
  const std::string of = " of " + std::to_string(count()) + (count() == 1 ? " value" : " values");
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
  constexpr double kRounding = 1e-9;  // a whole number may be missed by that much
  const double share = percent * static_cast<double>(made.count()) / 100;
  made.rank = std::clamp<std::int64_t>(std::llround(std::ceil(share - kRounding)) - 1, 0, made.count() - 1);
  return made;
}

}  // namespace sscope
