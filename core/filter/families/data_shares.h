#pragma once
// Defaults of options in units of the data: a new row takes them from the data it is made for. What is written down, as
// a bank or a session, has its numbers or those of the family.

#include <optional>
#include <string>
#include <vector>

#include "core/filter/families/family.h"
#include "core/filter/noise_estimate.h"

namespace sscope {

[[nodiscard]] double threeDigits(double value);

// To three digits (places in the range itself: to all), within the option's range. Empty where the data suggest
// nothing: constant data.
[[nodiscard]] std::optional<double> suggestion(const DataShare& share, const Option& option, const DataScale& scale);

// Whether the row leaves out an option that the data suggest.
[[nodiscard]] bool takesFromData(const FilterRecipe& recipe);

// Sets what the row leaves out. "range=0.078 of bilateral follows the data" for each; nothing for constant data.
std::vector<std::string> takeFromData(FilterRecipe& recipe, const DataScale& scale);

// The row with the family's defaults of these options written down, where it leaves them out: what takes none from the
// data.
[[nodiscard]] FilterRecipe withStatedShares(FilterRecipe recipe);

}  // namespace sscope
