#include "core/filter/operator.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"

namespace sscope {

namespace {

// Of all inputs together.
OperatorReach reachOf(const Formula& formula) {
  OperatorReach reach;
  for (std::size_t i = 0; i < formula.inputs().size(); ++i)
    for (std::size_t a = 0; a < 3; ++a) {
      reach.lowest[a] = std::min(reach.lowest[a], formula.reach(i).low[a]);
      reach.highest[a] = std::max(reach.highest[a], formula.reach(i).high[a]);
    }
  return reach;
}

}  // namespace

std::array<std::int64_t, 3> Operator::size() const {
  if (stencil() != nullptr) return stencil()->size();
  if (window() != nullptr) return window()->size;
  if (entropy() != nullptr) return entropy()->shape.size;
  if (range() != nullptr) {
    const auto [x, y, z] = range()->anchor();
    return {2 * x + 1, 2 * y + 1, 2 * z + 1};
  }
  const OperatorReach reach = reachOf(*formula());
  std::array<std::int64_t, 3> size{};
  for (std::size_t a = 0; a < 3; ++a) size[a] = reach.highest[a] - reach.lowest[a] + 1;
  return size;
}

std::array<std::int64_t, 3> Operator::anchor() const {
  if (stencil() != nullptr) return stencil()->anchor();
  if (window() != nullptr) return window()->anchor;
  if (entropy() != nullptr) return entropy()->shape.anchor;
  if (range() != nullptr) return range()->anchor();
  const OperatorReach reach = reachOf(*formula());
  return {-reach.lowest[0], -reach.lowest[1], -reach.lowest[2]};
}

std::int64_t Operator::taps() const {
  if (stencil() != nullptr) return stencil()->denseTaps();
  if (range() != nullptr) return range()->count();
  if (entropy() != nullptr) return entropy()->count();
  return window() != nullptr ? window()->count() : std::ssize(formula()->reads());
}

OperatorReach Operator::reach(std::size_t input) const {
  if (const Formula* one = formula()) return {one->reach(input).low, one->reach(input).high};
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
  if (const Formula* one = a.formula()) return *one == *b.formula();
  if (const RangeWindow* one = a.range()) return *one == *b.range();
  if (const EntropyWindow* one = a.entropy()) return *one == *b.entropy();
  return *a.window() == *b.window();
}

Operator flipped(Operator given) {
  if (auto* stencil = std::get_if<Stencil>(&given.kind)) {
    *stencil = flipped(std::move(*stencil));
    return given;
  }
  if (given.formula() != nullptr)
    throw Error(ErrorKind::Usage, "the formula " + given.name + " has no taps that could be mirrored",
                "switch flip off");
  if (given.range()) return given;  // is its own mirror image
  auto* entropy = std::get_if<EntropyWindow>(&given.kind);
  RankWindow& window = entropy != nullptr ? entropy->shape : std::get<RankWindow>(given.kind);
  for (auto& member : window.members)
    for (std::size_t a = 0; a < 3; ++a) member[a] = window.size[a] - 1 - member[a];
  for (std::size_t a = 0; a < 3; ++a) window.anchor[a] = window.size[a] - 1 - window.anchor[a];
  return given;
}

}  // namespace sscope
