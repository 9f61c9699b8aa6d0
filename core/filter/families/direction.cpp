#include "core/filter/families/direction.h"

#include <cmath>
#include <numbers>

#include "core/base/error.h"

namespace sscope {

Option azimuthOption() {
  return realOption("azimuth", "Azimuth", 0, -360, 360, "degrees", "The direction's angle from x toward y.");
}

Option elevationOption() {
  return realOption("elevation", "Elevation", 0, -90, 90, "degrees", "The direction's angle toward z, in volumes.");
}

std::array<double, 3> directionOf(const OptionValues& values, const FilterGrid& grid) {
  constexpr double kDegree = std::numbers::pi / 180;
  const double azimuth = realOf(values, "azimuth") * kDegree, elevation = realOf(values, "elevation") * kDegree;
  if (grid.dimensions == 2 && elevation != 0)
    throw Error(ErrorKind::Usage, "elevation needs a volume, and this image has one slice", "set elevation=0");
  std::array<double, 3> unit{std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
                             std::sin(elevation)};
  constexpr double kRounding = 1e-12;  // so that a direction along an axis is one
  for (double& part : unit)
    if (std::abs(part) < kRounding) part = 0;
  return unit;
}

}  // namespace sscope
