#pragma once
// The filter families: one row each, iterated by the window, the command line, the documentation and the tests.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/filter/grid.h"
#include "core/filter/operator.h"
#include "core/filter/recipe.h"
#include "core/options/option.h"

namespace sscope {

// An option that a family no longer has, and that older banks may name.
struct FormerOption {
  Option option;    // a Real option
  std::string now;  // the Real option with the value 1 / value; empty: the option was removed
};

// A family that became a part of another one, and that older banks and specs name.
struct FormerFamily {
  std::string_view name, now;
  OptionValues fallbacks;  // of options that are left out, where the defaults differ
};

// The value that the data suggest for an option in their units (core/filter/families/data_shares.h): `ofNoise` times
// their noise or, if no noise is found or `ofNoise` is 0, `ofRange` times the range of their values, counted from 0 or
// from the smallest value.
struct DataShare {
  std::string option;
  double ofNoise = 0, ofRange = 0;
  bool fromLow = false;
};

// What a family's results are.
enum class ResultValues {
  Computed,     // any numbers
  OfTheData,    // values of the data (or of the outside), exact in their type
  Differences,  // a larger value of the data minus a smaller one: exact in unsigned and floating types
};

struct FilterFamily {
  std::string name;   // "gaussian"
  std::string label;  // "Gaussian"
  std::string help;   // one sentence
  std::vector<Option> options;
  // One operator, or several that end in the filter's result; empty for "custom".
  std::function<ProgramPart(const OptionValues& complete, const FilterGrid& grid)> make;
  std::vector<DataShare> shares = {};           // options whose defaults suit data of 8 bits
  std::vector<std::string> inputs = {"input"};  // the role of each input, one or more: "input", "guide"
  // Options that depend on the values of others, such as the constants of a formula; empty for most.
  std::function<std::vector<Option>(const OptionValues& given)> more = {};
  std::vector<FormerOption> former = {};
  ResultValues results = ResultValues::Computed;
};

// All options of a recipe: the family's, and those that depend on its values. Throws Error(Usage) for an invalid
// formula.
[[nodiscard]] std::vector<Option> optionsOf(const FilterFamily& family, const OptionValues& given);
// The text of a recipe of family "formula", which names its inputs; null for others.
[[nodiscard]] const std::string* formulaOf(const FilterRecipe& recipe);
// Whether an enabled row of the bank is a formula.
[[nodiscard]] bool hasFormulas(const FilterBank& bank);

// Null if the family never had one of this name, or still has it.
[[nodiscard]] const FormerOption* findFormerOption(const FilterFamily& family, std::string_view name);
// Sets the option that replaced a former one, within its range, unless `given` has it already.
void renewOption(const FilterFamily& family, const FormerOption& former, const OptionValue& value, OptionValues& given);

// Null if there never was a family of this name, or still is.
[[nodiscard]] const FormerFamily* findFormerFamily(std::string_view name);

// All families, in display order.
[[nodiscard]] std::span<const FilterFamily> filterFamilies();
// Former names count. Throws Error(Usage) naming the known families.
[[nodiscard]] const FilterFamily& filterFamily(std::string_view name);

// The largest number of taps along one axis.
inline constexpr std::int64_t kMaximumAxisTaps = 1025;

// What a recipe computes. Throws Error(Usage) if a parameter is out of range for this grid, or if it names more inputs
// than the family has.
[[nodiscard]] ProgramPart makePart(const FilterRecipe& recipe, const FilterGrid& grid);
// Whether a recipe is one operator on one input, as in banks whose rows read only the data. Throws as makePart does.
[[nodiscard]] bool isOneOperator(const FilterRecipe& recipe, const FilterGrid& grid);
// The operator of such a recipe. Throws Error(Usage) for others, too.
[[nodiscard]] Operator makeOperator(const FilterRecipe& recipe, const FilterGrid& grid);
// The taps of a recipe of a linear family. Throws Error(Usage) for other families.
[[nodiscard]] Stencil makeStencil(const FilterRecipe& recipe, const FilterGrid& grid);
// The enabled filters of a bank whose rows read only the data, in order. Throws Error(Usage) if none is enabled, or if
// the bank is not plain (FilterProgram::plain).
[[nodiscard]] std::vector<Operator> makeOperators(const FilterBank& bank, const FilterGrid& grid);

}  // namespace sscope
