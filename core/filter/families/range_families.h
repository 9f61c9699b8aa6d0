#pragma once
// Families whose weights fall with the difference of values.

#include <vector>

#include "core/filter/families/family.h"

namespace sscope {

// bilateral and nlmeans (core/filter/range_window.h).
[[nodiscard]] std::vector<FilterFamily> rangeFamilies();

}  // namespace sscope
