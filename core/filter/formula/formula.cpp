#include "core/filter/formula/formula.h"

#include <algorithm>
#include <cmath>

#include "core/filter/formula/formula_parser.h"

namespace sscope {

FormulaError::FormulaError(std::size_t column, const std::string& expected)
    : Error(ErrorKind::Usage, "column " + std::to_string(column) + " of the formula: " + expected), column_(column) {}

Formula Formula::parse(std::string_view text) {
  ParsedFormula parsed = parseFormula(text);
  return of(std::string(text), std::move(parsed.inputs), std::move(parsed.tree), std::move(parsed.constants));
}

Formula Formula::of(std::string text, std::vector<std::string> inputs, FormulaTree tree,
                    std::vector<FormulaConstant> constants) {
  std::vector<FormulaReach> reach(inputs.size());
  std::vector<bool> seen(reach.size());
  Formula formula;
  for (const FormulaRead& read : tree.reads) {
    FormulaReach& one = reach[read.input];
    if (!seen[read.input]) one = {read.offset, read.offset};
    seen[read.input] = true;
    for (std::size_t a = 0; a < 3; ++a) {
      one.low[a] = std::min(one.low[a], read.offset[a]);
      one.high[a] = std::max(one.high[a], read.offset[a]);
      formula.pointwise_ = formula.pointwise_ && read.offset[a] == 0;
    }
  }
  for (const FormulaNode& node : tree.nodes) {
    formula.operations_ += operationsOf(node);
    if (node.op == FormulaOp::Position || node.op == FormulaOp::Millimeters) formula.pointwise_ = false;
  }
  formula.text_ = std::make_shared<const std::string>(std::move(text));
  formula.inputs_ = std::make_shared<const std::vector<std::string>>(std::move(inputs));
  formula.tree_ = std::make_shared<const FormulaTree>(std::move(tree));
  formula.reach_ = std::make_shared<const std::vector<FormulaReach>>(std::move(reach));
  formula.constants_ = std::move(constants);
  return formula;
}

Formula Formula::withConstants(const std::map<std::string, double>& values) const {
  Formula other = *this;
  for (const auto& [name, value] : values) {
    const auto found = std::ranges::find(other.constants_, name, &FormulaConstant::name);
    if (found == other.constants_.end())
      throw Error(ErrorKind::Usage, "the formula has no constant @" + name,
                  "write it as @" + name + "=1 at its first use");
    if (!(value >= found->minimum && value <= found->maximum))
      throw Error(ErrorKind::Usage, "the value of @" + name + " lies outside its range",
                  "widen the range in the formula");
    found->value = value;
  }
  return other;
}

Box readBox(const Formula& formula, std::size_t input, const Box& region, const std::array<std::int64_t, 3>& volume,
            Boundary boundary) {
  const FormulaReach& reach = formula.reach(input);
  Box box;
  for (std::size_t a = 0; a < 3; ++a) {
    const Range range =
        reachOf({region.begin[a], region.end[a]}, reach.high[a] - reach.low[a] + 1, -reach.low[a], volume[a], boundary);
    box.begin[a] = range.begin;
    box.end[a] = range.end;
  }
  return box;
}

}  // namespace sscope
