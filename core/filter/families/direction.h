#pragma once
// A direction in space, by two angles.

#include <array>

#include "core/filter/grid.h"
#include "core/options/option.h"

namespace sscope {

// "azimuth", from x toward y, and "elevation", from the xy plane toward z; in degrees.
[[nodiscard]] Option azimuthOption();
[[nodiscard]] Option elevationOption();

// The unit vector. Throws Error(Usage) for an elevation in an image.
[[nodiscard]] std::array<double, 3> directionOf(const OptionValues& values, const FilterGrid& grid);

}  // namespace sscope
