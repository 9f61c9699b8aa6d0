#pragma once
// Formulas in interval arithmetic: the values that engines may compute with rounding.

#include <span>
#include <vector>

#include "core/filter/formula/formula_node.h"
#include "core/filter/formula/formula_value.h"
#include "core/filter/formula/interval.h"

namespace sscope {

// The interval of the formula's value on an engine that computes in `precision`, for read values within the intervals
// `reads` (one for each of formula.reads(); IntervalRounding::element for exact data).
//
// Accepted errors, in units of the roundoff: 2 for sums and products, 6 for quotients, 8 for roots, 20 for
// exponentials, logarithms and trigonometric functions (sine and cosine also 2 of 1), 48 for powers, 64 of the matrix's
// norm for eigenvalues. a * b + c may be rounded once or twice. OpenCL's full profile allows its devices smaller errors
// than these.
class FormulaIntervals {
 public:
  FormulaIntervals(const Formula& formula, Precision precision);
  [[nodiscard]] Interval operator()(std::span<const Interval> reads, const FormulaPlace& place);

 private:
  Formula formula_;
  IntervalRounding rounding_;
  std::vector<Interval> values_, arguments_;
};

// The interval of a number, a constant, a position or an extent.
[[nodiscard]] Interval leafInterval(const Formula& formula, const FormulaNode& node, const FormulaPlace& place,
                                    const IntervalRounding& rounding);

[[nodiscard]] Interval evaluateInterval(const Formula& formula, const std::vector<Interval>& reads,
                                        const FormulaPlace& place, Precision precision);

// The interval of a node with arguments; formulaValue is the counterpart for numbers.
[[nodiscard]] Interval formulaInterval(const FormulaNode& node, std::span<const Interval> arguments,
                                       const IntervalRounding& rounding);

}  // namespace sscope
