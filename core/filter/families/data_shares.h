#pragma once
// Defaults of options in units of the data: a new row takes them from the data for which it is made. Banks and sessions
// store the numbers or use the defaults of the family.

#include <optional>
#include <string>
#include <vector>

#include "core/filter/families/family.h"
#include "core/filter/noise_estimate.h"

namespace sscope {

[[nodiscard]] double threeDigits(double value);

// Rounded to three digits (positions within the range are not rounded), within the option's range. Empty for constant
// data.
[[nodiscard]] std::optional<double> suggestion(const DataShare& share, const Option& option, const DataScale& scale);

// Whether the row lacks an option that the data suggest.
[[nodiscard]] bool takesFromData(const FilterRecipe& recipe);

// Sets the options that the row lacks. Returns "range=0.078 of bilateral follows the data" for each; does nothing for
// constant data.
std::vector<std::string> takeFromData(FilterRecipe& recipe, const DataScale& scale);

// The row with the family's defaults of these options where it lacks them, so that it takes none from the data.
[[nodiscard]] FilterRecipe withStatedShares(FilterRecipe recipe);

}  // namespace sscope
