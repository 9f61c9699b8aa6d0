#include "core/filter/operator.h"

#include <utility>

namespace sscope {

std::array<std::int64_t, 3> Operator::size() const { return stencil() ? stencil()->size() : window()->size; }

std::array<std::int64_t, 3> Operator::anchor() const { return stencil() ? stencil()->anchor() : window()->anchor; }

OperatorReach Operator::reach(std::size_t /*input*/) const {
  const auto extents = size(), anchors = anchor();
  OperatorReach reach;
  for (std::size_t a = 0; a < 3; ++a) {
    reach.lowest[a] = -anchors[a];
    reach.highest[a] = extents[a] - 1 - anchors[a];
  }
  return reach;
}

bool sameComputation(const Operator& a, const Operator& b) {
  if (a.kind.index() != b.kind.index()) return false;
  if (const Stencil* one = a.stencil()) {
    const Stencil& other = *b.stencil();
    if (one->separable() || other.separable()) return one->terms == other.terms;
    return one->dense == other.dense;
  }
  return *a.window() == *b.window();
}

std::int64_t Operator::taps() const { return stencil() ? stencil()->denseTaps() : window()->count(); }

Operator flipped(Operator given) {
  if (auto* stencil = std::get_if<Stencil>(&given.kind)) {
    *stencil = flipped(std::move(*stencil));
    return given;
  }
  auto& window = std::get<RankWindow>(given.kind);
  for (auto& member : window.members)
    for (std::size_t a = 0; a < 3; ++a) member[a] = window.size[a] - 1 - member[a];
  for (std::size_t a = 0; a < 3; ++a) window.anchor[a] = window.size[a] - 1 - window.anchor[a];
  return given;
}

}  // namespace sscope
