#include "core/boundary/boundary.h"

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

}  // namespace sscope
