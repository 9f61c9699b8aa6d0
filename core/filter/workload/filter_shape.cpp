#include "core/filter/workload/filter_shape.h"

#include <algorithm>
#include <bit>

namespace sscope {

namespace {

bool sameShape(const AxisTaps& a, const AxisTaps& b) {
  return a.size() == b.size() && a.anchor == b.anchor && a.identity() == b.identity() && a.equal() == b.equal();
}

bool sameShape(const Stencil& a, const Stencil& b) {
  if (a.separable() || b.separable()) return sscope::sameShape(a.terms, b.terms);
  return a.dense.size == b.dense.size && a.dense.anchor == b.dense.anchor;
}

bool sameShape(const Operator& a, const Operator& b) {
  if (a.name != b.name || a.kind.index() != b.kind.index()) return false;
  return a.stencil() != nullptr ? sameShape(*a.stencil(), *b.stencil()) : *a.window() == *b.window();
}

}  // namespace

bool sameShape(const std::vector<SeparableTerm>& a, const std::vector<SeparableTerm>& b) {
  return std::ranges::equal(a, b, [](const SeparableTerm& one, const SeparableTerm& other) {
    return std::ranges::equal(one.axis, other.axis, [](const auto& x, const auto& y) { return sameShape(x, y); });
  });
}

bool sameShape(const FilterWorkload& a, const FilterWorkload& b) {
  // NaN is a constant, too, and -0 another one than 0.
  const bool sameConstant = std::bit_cast<std::uint64_t>(a.constant()) == std::bit_cast<std::uint64_t>(b.constant());
  return a.name() == b.name() && sameConstant && a.boundary() == b.boundary() && a.input().type == b.input().type &&
         a.input().extent == b.input().extent && a.outputType() == b.outputType() &&
         a.region().begin == b.region().begin && a.region().end == b.region().end &&
         std::ranges::equal(a.operators(), b.operators(),
                            [](const Operator& one, const Operator& other) { return sameShape(one, other); });
}

}  // namespace sscope
