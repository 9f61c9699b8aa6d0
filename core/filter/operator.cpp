#include "core/filter/operator.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/base/overloaded.h"

namespace sscope {

namespace {

// The reach of a formula over all its inputs.
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

std::size_t ProgramPart::add(Operator op, std::vector<std::size_t> inputs) {
  nodes.push_back({std::move(op), std::move(inputs)});
  return nodes.size() - 1;
}

namespace {

// The offset nearest to 0 that differs by a multiple of the period.
std::int64_t centered(std::int64_t offset, std::int64_t period) {
  const std::int64_t rest = (offset % period + period) % period;
  return 2 * rest > period ? rest - period : rest;
}

// The offset of a tap that reads the same as the one at `offset` for every anchor within 0..n-1.
std::int64_t nearer(std::int64_t offset, std::int64_t n, Boundary boundary) {
  switch (boundary) {
    case Boundary::constant: return std::clamp(offset, -n, n);
    case Boundary::nearest: return std::clamp(offset, 1 - n, n - 1);
    case Boundary::wrap: return centered(offset, n);
    case Boundary::mirror: return n == 1 ? 0 : centered(offset, 2 * n - 2);
    case Boundary::reflect: return centered(offset, 2 * n);
  }
  return offset;
}

// The positions of taps along one axis, before and after.
class AxisFold {
 public:
  AxisFold(std::int64_t size, std::int64_t anchor, std::int64_t n, Boundary boundary) {
    std::int64_t first = 0, last = 0;
    const bool far = std::max(anchor, size - 1 - anchor) > n;
    for (std::int64_t i = 0; i < size; ++i) {
      const std::int64_t offset = i - anchor;
      places_.push_back(far ? nearer(offset, n, boundary) : offset);
      first = i == 0 ? places_.back() : std::min(first, places_.back());
      last = i == 0 ? places_.back() : std::max(last, places_.back());
    }
    if (far) first = std::min<std::int64_t>(first, 0), last = std::max<std::int64_t>(last, 0);
    for (std::int64_t& place : places_) place -= first;
    size_ = last - first + 1;
    anchor_ = -first;
    changes_ = far;
  }
  [[nodiscard]] std::int64_t operator()(std::int64_t i) const { return places_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::int64_t anchor() const { return anchor_; }
  [[nodiscard]] bool changes() const { return changes_; }

 private:
  std::vector<std::int64_t> places_;
  std::int64_t size_ = 1, anchor_ = 0;
  bool changes_ = false;
};

void fold(AxisTaps& taps, std::int64_t n, Boundary boundary) {
  const AxisFold axis(taps.size(), taps.anchor, n, boundary);
  if (!axis.changes()) return;
  AxisTaps few{std::vector<double>(static_cast<std::size_t>(axis.size())), axis.anchor()};
  for (std::int64_t i = 0; i < taps.size(); ++i)
    few.weights[static_cast<std::size_t>(axis(i))] += taps.weights[static_cast<std::size_t>(i)];
  taps = std::move(few);
}

void fold(DenseTaps& taps, const std::array<std::int64_t, 3>& extent, Boundary boundary) {
  const auto along = [&](std::size_t a) { return AxisFold(taps.size[a], taps.anchor[a], extent[a], boundary); };
  const AxisFold x = along(0), y = along(1), z = along(2);
  if (!x.changes() && !y.changes() && !z.changes()) return;
  DenseTaps few{{x.size(), y.size(), z.size()}, {x.anchor(), y.anchor(), z.anchor()}, {}};
  few.weights.assign(static_cast<std::size_t>(few.count()), 0.0);
  for (std::int64_t k = 0; k < taps.size[2]; ++k)
    for (std::int64_t j = 0; j < taps.size[1]; ++j)
      for (std::int64_t i = 0; i < taps.size[0]; ++i)
        few.weights[static_cast<std::size_t>((z(k) * few.size[1] + y(j)) * few.size[0] + x(i))] += taps.at(i, j, k);
  taps = std::move(few);
}

}  // namespace

Operator foldedOperator(Operator op, const std::array<std::int64_t, 3>& extent, Boundary boundary) {
  auto* stencil = std::get_if<Stencil>(&op.kind);
  if (stencil == nullptr) return op;
  if (!stencil->separable()) fold(stencil->dense, extent, boundary);
  for (SeparableTerm& term : stencil->terms)
    for (std::size_t a = 0; a < 3; ++a) fold(term.axis[a], extent[a], boundary);
  return op;
}

}  // namespace sscope
