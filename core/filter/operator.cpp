#include "core/filter/operator.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/overloaded.h"

namespace sscope {

namespace {

// What a formula reads of all its inputs together.
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
  using Size = std::array<std::int64_t, 3>;
  return std::visit(Overloaded{[](const Stencil& stencil) { return stencil.size(); },
                               [](const RankWindow& window) { return window.size; },
                               [](const RangeWindow& window) {
                                 const auto [x, y, z] = window.anchor();
                                 return Size{2 * x + 1, 2 * y + 1, 2 * z + 1};
                               },
                               [](const Formula& formula) {
                                 const OperatorReach reach = reachOf(formula);
                                 Size size{};
                                 for (std::size_t a = 0; a < 3; ++a) size[a] = reach.highest[a] - reach.lowest[a] + 1;
                                 return size;
                               },
                               [](const EntropyWindow& window) { return window.shape.size; }},
                    kind);
}

std::array<std::int64_t, 3> Operator::anchor() const {
  using Anchor = std::array<std::int64_t, 3>;
  return std::visit(Overloaded{[](const Stencil& stencil) { return stencil.anchor(); },
                               [](const RankWindow& window) { return window.anchor; },
                               [](const RangeWindow& window) { return window.anchor(); },
                               [](const Formula& formula) {
                                 const OperatorReach reach = reachOf(formula);
                                 return Anchor{-reach.lowest[0], -reach.lowest[1], -reach.lowest[2]};
                               },
                               [](const EntropyWindow& window) { return window.shape.anchor; }},
                    kind);
}

std::int64_t Operator::taps() const {
  return std::visit(Overloaded{[](const Stencil& stencil) -> std::int64_t { return stencil.denseTaps(); },
                               [](const RankWindow& window) -> std::int64_t { return window.count(); },
                               [](const RangeWindow& window) -> std::int64_t { return window.count(); },
                               [](const Formula& formula) -> std::int64_t { return std::ssize(formula.reads()); },
                               [](const EntropyWindow& window) -> std::int64_t { return window.count(); }},
                    kind);
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
  return std::visit(Overloaded{[&](const Stencil& one) {
                                 const Stencil& other = *b.stencil();
                                 if (one.separable() || other.separable()) return one.terms == other.terms;
                                 return one.dense == other.dense;
                               },
                               [&](const RankWindow& one) { return one == *b.window(); },
                               [&](const RangeWindow& one) { return one == *b.range(); },
                               [&](const Formula& one) { return one == *b.formula(); },
                               [&](const EntropyWindow& one) { return one == *b.entropy(); }},
                    a.kind);
}

namespace {

void flip(RankWindow& window) {
  for (auto& member : window.members)
    for (std::size_t a = 0; a < 3; ++a) member[a] = window.size[a] - 1 - member[a];
  for (std::size_t a = 0; a < 3; ++a) window.anchor[a] = window.size[a] - 1 - window.anchor[a];
}

}  // namespace

Operator flipped(Operator given) {
  std::visit(Overloaded{[](Stencil& stencil) { stencil = flipped(std::move(stencil)); },
                        [](RankWindow& window) { flip(window); }, [](RangeWindow&) {},  // is its own mirror image
                        [&](Formula&) {
                          throw Error(ErrorKind::Usage,
                                      "the formula " + given.name + " has no taps that could be mirrored",
                                      "switch flip off");
                        },
                        [](EntropyWindow& window) { flip(window.shape); }},
             given.kind);
  return given;
}

}  // namespace sscope
