#pragma once
// The axis among a family's options.

#include <cstddef>

#include "core/filter/grid.h"
#include "core/options/option.h"

namespace sscope {

// 0 to 2 of the option "axis", whose values are x, y and z. Throws Error(Usage) for z where the grid has two axes.
[[nodiscard]] std::size_t axisOf(const OptionValues& values, const FilterGrid& grid);

}  // namespace sscope
