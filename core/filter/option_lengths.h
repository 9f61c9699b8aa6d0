#pragma once
// Lengths among a family's options, in voxels of the grid that its operator is made for.

#include <array>
#include <string_view>

#include "core/filter/grid.h"
#include "core/options/option.h"

namespace sscope {

// Of the option `name` along each axis. Throws Error(Usage) for millimeters where the data do not say how long a voxel
// is, and for more than 64 voxels.
[[nodiscard]] std::array<double, 3> voxelsAlongAxes(const OptionValues& values, std::string_view name,
                                                    const FilterGrid& grid);

}  // namespace sscope
