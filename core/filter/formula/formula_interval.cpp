#include "core/filter/formula/formula_interval.h"

#include "core/filter/formula/interval_functions.h"

namespace sscope {

using Op = FormulaOp;

FormulaIntervals::FormulaIntervals(const Formula& formula, Precision precision)
    : formula_(formula), rounding_(precision), values_(formula.tree().nodes.size()) {}

Interval FormulaIntervals::operator()(std::span<const Interval> reads, const FormulaPlace& place) {
  const FormulaTree& tree = formula_.tree();
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const FormulaNode& node = tree.nodes[n];
    const auto index = static_cast<std::size_t>(node.index);
    switch (node.op) {
      case Op::Number: values_[n] = rounding_.number(node.value); break;
      case Op::Constant: values_[n] = rounding_.number(formula_.constants()[index].value); break;
      case Op::Read: values_[n] = reads[index]; break;
      case Op::Position: values_[n] = rounding_.number(static_cast<double>(place.voxel[node.axis])); break;
      case Op::Millimeters: {
        const double value = static_cast<double>(place.voxel[node.axis]) * place.spacing[node.axis];
        const bool whole = place.spacing[node.axis] == 1 || place.voxel[node.axis] == 0;
        values_[n] = rounding_.rounded(value, whole, 4);
        break;
      }
      case Op::Extent: values_[n] = rounding_.number(static_cast<double>(place.volume[node.axis])); break;
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
