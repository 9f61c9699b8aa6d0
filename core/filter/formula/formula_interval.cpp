#include "core/filter/formula/formula_interval.h"

#include <cmath>
namespace sscope {

bool Interval::decided() const {
  if (torn) return false;
  if (nan) return empty();
  return low == high || (std::isfinite(low) && std::isfinite(high));
}

IntervalRounding::IntervalRounding(Precision precision)
    : wide_(precision == Precision::f64),
      roundoff_(wide_ ? 0x1p-53 : 0x1p-24),
      smallest_(wide_ ? std::numeric_limits<double>::min() : static_cast<double>(std::numeric_limits<float>::min())),
      largest_(wide_ ? std::numeric_limits<double>::max() : static_cast<double>(std::numeric_limits<float>::max())) {}

using Op = FormulaOp;

FormulaIntervals::FormulaIntervals(const Formula& formula, Precision precision)
    : formula_(formula), rounding_(precision), values_(formula.tree().nodes.size()) {}

Interval leafInterval(const Formula& formula, const FormulaNode& node, const FormulaPlace& place,
                      const IntervalRounding& rounding) {
  switch (node.op) {
    case Op::Constant: return rounding.number(formula.constants()[static_cast<std::size_t>(node.index)].value);
    case Op::Position: return rounding.number(static_cast<double>(place.voxel[node.axis]));
    case Op::Millimeters: {
      const double value = static_cast<double>(place.voxel[node.axis]) * place.spacing[node.axis];
      const bool whole = place.spacing[node.axis] == 1 || place.voxel[node.axis] == 0;
      return rounding.rounded(value, whole, 4);
    }
    case Op::Extent: return rounding.number(static_cast<double>(place.volume[node.axis]));
    default: return rounding.number(node.value);
  }
}

Interval FormulaIntervals::operator()(std::span<const Interval> reads, const FormulaPlace& place) {
  const FormulaTree& tree = formula_.tree();
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const FormulaNode& node = tree.nodes[n];
    switch (node.op) {
      case Op::Read: values_[n] = reads[static_cast<std::size_t>(node.index)]; break;
      case Op::Number:
      case Op::Constant:
      case Op::Position:
      case Op::Millimeters:
      case Op::Extent: values_[n] = leafInterval(formula_, node, place, rounding_); break;
      default:
        arguments_.clear();
        for (const std::uint32_t argument : tree.argumentsOf(node)) arguments_.push_back(values_[argument]);
        values_[n] = formulaInterval(node, arguments_, rounding_);
    }
  }
  return values_.back();
}

Interval evaluateInterval(const Formula& formula, const std::vector<Interval>& reads, const FormulaPlace& place,
                          Precision precision) {
  return FormulaIntervals(formula, precision)(reads, place);
}

}  // namespace sscope
