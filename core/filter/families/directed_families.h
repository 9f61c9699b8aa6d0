#pragma once
// Linear families with a direction: relief, motion blur, Gabor.

#include <vector>

#include "core/filter/families/family.h"

namespace sscope {

// In display order.
[[nodiscard]] std::vector<FilterFamily> directedFamilies();

}  // namespace sscope
