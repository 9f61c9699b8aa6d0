#include "core/filter/grid.h"

#include <algorithm>
#include <cstdio>

#include "core/filter/family.h"
#include "core/volume/length_unit.h"

namespace sscope {

FilterGrid filterGrid(int dimensions, const Geometry& geometry) {
  FilterGrid grid;
  grid.dimensions = dimensions;
  const auto millimeters = millimetersIn(geometry.unit);
  grid.hasUnit = millimeters.has_value();
  for (std::size_t a = 0; a < 3; ++a) grid.spacing[a] = geometry.spacing[a] * millimeters.value_or(1);
  return grid;
}

std::vector<std::string> lengthNotices(const FilterBank& bank, const FilterGrid& grid) {
  std::vector<std::string> notices;
  for (const FilterRecipe* recipe : bank.enabled()) {
    const FilterFamily& family = filterFamily(recipe->family);
    for (const auto& [name, value] : recipe->parameters) {
      const auto* length = std::get_if<Length>(&value);
      const Option* option = findOption(family.options, name);
      if (length == nullptr || option == nullptr || !length->millimeters) continue;
      double finest = grid.spacing[0];
      for (int a = 1; a < grid.dimensions; ++a) finest = std::min(finest, grid.spacing[static_cast<std::size_t>(a)]);
      const double voxels = length->value / finest;
      if (voxels >= option->minimum) continue;
      char text[32];
      std::snprintf(text, sizeof text, "%.2g", voxels);
      notices.push_back(name + "=" + formatOption(value) + " of the filter " + recipe->name + " is only " + text +
                        " voxels on this data, too short to have an effect; check the unit");
    }
  }
  return notices;
}

}  // namespace sscope
