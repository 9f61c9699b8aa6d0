#pragma once
// Families of statistics of the voxels around each: mean, variance, standard deviation, contrast normalization.

#include <vector>

#include "core/filter/families/family.h"

namespace sscope {

// In display order.
[[nodiscard]] std::vector<FilterFamily> localStatisticsFamilies();

}  // namespace sscope
