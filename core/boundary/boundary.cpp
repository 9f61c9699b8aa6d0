#include "core/boundary/boundary.h"

#include <algorithm>
#include <utility>

namespace sscope {

namespace {
constexpr std::string_view kNames[] = {"constant", "nearest", "mirror", "reflect", "wrap"};
}

std::string_view toString(Boundary boundary) { return kNames[static_cast<std::size_t>(boundary)]; }

std::optional<Boundary> parseBoundary(std::string_view text) {
  for (const Boundary boundary : kBoundaries)
    if (toString(boundary) == text) return boundary;
  return std::nullopt;
}

Range reachOf(const Range& outputs, std::int64_t taps, std::int64_t anchor, std::int64_t n, Boundary boundary) {
  Range reach{n, 0};
  for (std::int64_t i = outputs.begin - anchor; i < outputs.end - anchor + taps - 1; ++i) {
    const std::int64_t at = boundaryIndex(i, n, boundary);
    if (at < 0) continue;
    reach.begin = std::min(reach.begin, at);
    reach.end = std::max(reach.end, at + 1);
  }
  return reach.size() > 0 ? reach : Range{0, 1};
}

std::vector<Range> placesRead(const Range& outputs, std::int64_t taps, std::int64_t anchor, std::int64_t n,
                              Boundary boundary) {
  const Range all{outputs.begin - anchor, outputs.end - anchor + taps - 1};
  std::vector<Range> places{{std::max<std::int64_t>(all.begin, 0), std::min(all.end, n)}};
  const auto add = [&](std::int64_t i) {
    if (const std::int64_t at = boundaryIndex(i, n, boundary); at >= 0) places.push_back({at, at + 1});
  };
  for (std::int64_t i = all.begin; i < std::min<std::int64_t>(all.end, 0); ++i) add(i);
  for (std::int64_t i = std::max(all.begin, n); i < all.end; ++i) add(i);
  return united(std::move(places));
}

std::vector<Range> united(std::vector<Range> ranges) {
  std::erase_if(ranges, [](const Range& range) { return range.size() <= 0; });
  std::ranges::sort(ranges, {}, &Range::begin);
  std::vector<Range> joined;
  for (const Range& range : ranges) {
    if (joined.empty() || range.begin > joined.back().end)
      joined.push_back(range);
    else
      joined.back().end = std::max(joined.back().end, range.end);
  }
  return joined;
}

}  // namespace sscope
