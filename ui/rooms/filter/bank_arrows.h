#pragma once
// Which rows of a bank read which.

#include <QString>
#include <string>
#include <vector>

#include "core/filter/recipe.h"

namespace sscope {

// Rows by their places in the bank; from -1: the data. Rows that read what stands below them, or what is not there,
// have no arrow for it.
struct BankArrow {
  int from = -1;
  int to = 0;
  bool operator==(const BankArrow&) const = default;
};
[[nodiscard]] std::vector<BankArrow> bankArrows(const FilterBank& bank);

// The names that a row reads; none for a formula that is none.
[[nodiscard]] std::vector<std::string> namesRead(const FilterRecipe& recipe);

// Why the rows of `before` cannot stand in the order of `after`: an arrow would point upward. Empty if they can. What
// was wrong before is no reason.
[[nodiscard]] QString orderRefused(const FilterBank& before, const FilterBank& after);

// A recipe of family "formula" with another text, which is a formula: values of constants that it still has stay,
// within their ranges. Throws FormulaError for a text that is none.
[[nodiscard]] FilterRecipe withFormula(FilterRecipe recipe, const std::string& text);

}  // namespace sscope
