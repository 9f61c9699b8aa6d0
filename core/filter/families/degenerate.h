#pragma once
// Filters that do nothing on a grid because a length is far below a voxel: sigma=0.07mm on voxels of 1 mm.

#include <string>
#include <vector>

#include "core/filter/families/family.h"
#include "core/volume/volume.h"

namespace sscope {

// One sentence on why the filter changes nothing, or gives zero everywhere, on this grid; empty if it has an effect.
// Always empty for filters without a length and for custom taps. Throws Error(Usage) as makePart does.
[[nodiscard]] std::string degenerateReason(const FilterRecipe& recipe, const FilterGrid& grid);
struct Degenerate {
  std::string name;  // of the filter
  std::string reason;
};
// The degenerate ones among the enabled filters of a bank, in order. Filters that do not fit the data are left out.
[[nodiscard]] std::vector<Degenerate> degenerateFilters(const FilterBank& bank, const Volume& volume);

}  // namespace sscope
