#include "core/filter/operator.h"

#include <utility>

namespace sscope {

std::array<std::int64_t, 3> Operator::size() const {
  if (range()) {
    const auto [x, y, z] = range()->anchor();
    return {2 * x + 1, 2 * y + 1, 2 * z + 1};
  }
  return stencil() ? stencil()->size() : window()->size;
}

std::array<std::int64_t, 3> Operator::anchor() const {
  if (range()) return range()->anchor();
  return stencil() ? stencil()->anchor() : window()->anchor;
}

std::int64_t Operator::taps() const {
  if (range()) return range()->count();
  return stencil() ? stencil()->denseTaps() : window()->count();
}

Operator flipped(Operator given) {
  if (auto* stencil = std::get_if<Stencil>(&given.kind)) {
    *stencil = flipped(std::move(*stencil));
    return given;
  }
  if (given.range()) return given;  // is its own mirror image
  auto& window = std::get<RankWindow>(given.kind);
  for (auto& member : window.members)
    for (std::size_t a = 0; a < 3; ++a) member[a] = window.size[a] - 1 - member[a];
  for (std::size_t a = 0; a < 3; ++a) window.anchor[a] = window.size[a] - 1 - window.anchor[a];
  return given;
}

}  // namespace sscope
