#include "core/parts/partition.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sscope::reach {

std::vector<Range> evenly(std::int64_t planes, std::int64_t parts) {
  std::vector<Range> ranges;
  for (std::int64_t part = 0, begin = 0; part < parts; ++part) {
    const std::int64_t end = begin + planes / parts + (part < planes % parts ? 1 : 0);
    ranges.push_back({begin, end});
    begin = end;
  }
  return ranges;
}

std::vector<Range> weighted(std::int64_t planes, std::span<const double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  auto wanting = std::count_if(weights.begin(), weights.end(), [](double weight) { return weight > 0; });
  std::vector<Range> ranges;
  std::int64_t begin = 0;
  double before = 0;
  for (const double weight : weights) {
    before += weight;
    std::int64_t end = begin;
    if (weight > 0) {
      --wanting;
      const std::int64_t left = planes - begin;
      const std::int64_t least = std::min<std::int64_t>(1, left);
      // What follows keeps a plane each where there are enough.
      const std::int64_t most = wanting > 0 ? std::max(least, left - wanting) : left;
      const auto wished = static_cast<std::int64_t>(std::llround(static_cast<double>(planes) * before / sum)) - begin;
      end = begin + (wanting > 0 ? std::clamp(wished, least, most) : left);
    }
    ranges.push_back({begin, end});
    begin = end;
  }
  return ranges;
}

Box slab(const std::array<std::int64_t, 4>& extent, std::size_t axis, const Range& planes) {
  Box box{{0, 0, 0}, {extent[0], extent[1], extent[2]}};
  box.begin[axis] = planes.begin;
  box.end[axis] = planes.end;
  return box;
}

}  // namespace sscope::reach
