#pragma once
// Lengths so far below a voxel that a filter does nothing on a grid: sigma=0.07mm on voxels of 1 mm.

#include <string>
#include <vector>

#include "core/filter/family.h"
#include "core/volume/volume.h"

namespace sscope {

// One sentence why the filter changes nothing, or gives zero everywhere, on this grid; empty for one that works.
// Filters without a length, and custom taps, are what they are. Throws Error(Usage) as makeFilter does.
[[nodiscard]] std::string degenerateReason(const FilterRecipe& recipe, const FilterGrid& grid);
struct Degenerate {
  std::string name;  // of the filter
  std::string reason;
};
// Those of the enabled filters of a bank, in order. Filters that do not fit the data are not among them.
[[nodiscard]] std::vector<Degenerate> degenerateFilters(const FilterBank& bank, const Volume& volume);

}  // namespace sscope
