#pragma once
// The operations of formulas on intervals.

#include <span>

#include "core/filter/formula/formula_node.h"
#include "core/filter/formula/interval.h"

namespace sscope {

// Of a node that is no leaf; formulaValue is its counterpart for numbers.
[[nodiscard]] Interval formulaInterval(const FormulaNode& node, std::span<const Interval> arguments,
                                       const IntervalRounding& rounding);

}  // namespace sscope
