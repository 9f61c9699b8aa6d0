#include "core/filter/workload/filter_shape.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/overloaded.h"
#include "core/filter/low_rank.h"

namespace sscope {

namespace {

bool sameShape(const AxisTaps& a, const AxisTaps& b) {
  return a.size() == b.size() && a.anchor == b.anchor && a.identity() == b.identity() && a.equal() == b.equal();
}

// As sums of separable terms, which are made anew from the weights.
bool sameTerms(const DenseTaps& a, const DenseTaps& b, Precision precision) {
  const auto one = lowRankSum(a, precision), other = lowRankSum(b, precision);
  if (!one || !other) return !one && !other;
  return one->wide == other->wide && sscope::sameShape(one->terms, other->terms);
}

bool sameShape(const Stencil& a, const Stencil& b) {
  if (a.separable() || b.separable()) return sscope::sameShape(a.terms, b.terms);
  return a.dense.size == b.dense.size && a.dense.anchor == b.dense.anchor &&
         mirrorSymmetry(a.dense) == mirrorSymmetry(b.dense);
}

bool sameShape(const Operator& a, const Operator& b) {
  if (a.name != b.name || a.kind.index() != b.kind.index()) return false;
  return std::visit(
      Overloaded{[&](const Stencil& one) { return sameShape(one, *b.stencil()); },
                 [&](const RankWindow& one) { return one == *b.window(); },
                 [&](const RangeWindow& one) { return one.reach == b.range()->reach && one.patch == b.range()->patch; },
                 [&](const Formula& one) { return one == *b.formula(); },
                 [&](const EntropyWindow& one) { return one == *b.entropy(); }},
      a.kind);
}

bool denseTaps(const Operator& op) { return op.stencil() != nullptr && !op.stencil()->separable(); }

}  // namespace

std::array<bool, 3> mirrorSymmetry(const DenseTaps& taps) {
  constexpr double kLarge = 1e30;  // far below what f32 holds
  std::array<bool, 3> mirrored{true, true, true};
  const auto& size = taps.size;
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      for (std::int64_t x = 0; x < size[0]; ++x) {
        const double tap = taps.at(x, y, z);
        if (!(std::abs(tap) <= kLarge)) return {false, false, false};
        mirrored[0] = mirrored[0] && tap == taps.at(size[0] - 1 - x, y, z);
        mirrored[1] = mirrored[1] && tap == taps.at(x, size[1] - 1 - y, z);
        mirrored[2] = mirrored[2] && tap == taps.at(x, y, size[2] - 1 - z);
      }
  return mirrored;
}

bool sameShape(const std::vector<SeparableTerm>& a, const std::vector<SeparableTerm>& b) {
  return std::ranges::equal(a, b, [](const SeparableTerm& one, const SeparableTerm& other) {
    return std::ranges::equal(one.axis, other.axis, [](const auto& x, const auto& y) { return sameShape(x, y); });
  });
}

bool sameShape(const FilterWorkload& a, const FilterWorkload& b) {
  // NaN is a constant, too, and -0 another one than 0.
  const bool sameConstant = std::bit_cast<std::uint64_t>(a.constant()) == std::bit_cast<std::uint64_t>(b.constant());
  return a.name() == b.name() && sameConstant && a.boundary() == b.boundary() && a.input().type == b.input().type &&
         a.input().extent == b.input().extent && a.outputType() == b.outputType() && a.region() == b.region() &&
         a.planned() == b.planned() &&
         std::ranges::equal(a.operators(), b.operators(),
                            [](const Operator& one, const Operator& other) { return sameShape(one, other); });
}

bool sameSums(const FilterWorkload& a, const FilterWorkload& b) {
  return std::ranges::equal(a.operators(), b.operators(), [&](const Operator& one, const Operator& other) {
    if (denseTaps(one) != denseTaps(other)) return false;
    return !denseTaps(one) || sameTerms(one.stencil()->dense, other.stencil()->dense, a.precision());
  });
}

}  // namespace sscope
