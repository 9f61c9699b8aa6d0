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

struct FilterFamily {
  std::string name;   // "gaussian"
  std::string label;  // "Gaussian"
  std::string help;   // one sentence
  std::vector<Option> options;
  std::function<Operator(const OptionValues& complete, const FilterGrid& grid)> make;  // empty for "custom"
  // The option, if any, that so many times the noise of the data (core/filter/noise_estimate.h) suits.
  std::string noiseOption = {};
  double noiseFactor = 1;
};

// All families, in display order.
[[nodiscard]] std::span<const FilterFamily> filterFamilies();
// Throws Error(Usage) naming the known families.
[[nodiscard]] const FilterFamily& filterFamily(std::string_view name);

// The largest number of taps along one axis.
inline constexpr std::int64_t kMaximumAxisTaps = 1025;

// The operator of a recipe. Throws Error(Usage) if a parameter is out of range for this grid.
[[nodiscard]] Operator makeOperator(const FilterRecipe& recipe, const FilterGrid& grid);
// The taps of a recipe of a linear family. Throws Error(Usage) for other families.
[[nodiscard]] Stencil makeStencil(const FilterRecipe& recipe, const FilterGrid& grid);
// The enabled filters of a bank, in order. Throws Error(Usage) when none is enabled.
[[nodiscard]] std::vector<Operator> makeOperators(const FilterBank& bank, const FilterGrid& grid);

}  // namespace sscope
