#pragma once
// The families of order statistics: medians, percentiles, minima and maxima.

#include <vector>

#include "core/filter/families/family.h"

namespace sscope {

[[nodiscard]] std::vector<FilterFamily> rankFamilies();

}  // namespace sscope
