#pragma once
// Families that repeat a step: diffusion that stops at edges, curvature flow, total variation.

#include <vector>

#include "core/filter/families/family.h"

namespace sscope {

// In display order.
[[nodiscard]] std::vector<FilterFamily> iteratedFamilies();

}  // namespace sscope
