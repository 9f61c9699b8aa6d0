#include "core/boundary/boundary.h"

#include <algorithm>

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

}  // namespace sscope
