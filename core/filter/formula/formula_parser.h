#pragma once
// From the text of a formula to its tree.

#include <string>
#include <string_view>
#include <vector>

#include "core/filter/formula/formula.h"
#include "core/filter/formula/formula_node.h"

namespace sscope {

struct ParsedFormula {
  FormulaTree tree;
  std::vector<std::string> inputs;
  std::vector<FormulaConstant> constants;
};

// By precedence climbing: `or`, `and`, `not`, comparisons, sums, products, signs, powers. Throws FormulaError.
[[nodiscard]] ParsedFormula parseFormula(std::string_view text);

}  // namespace sscope
