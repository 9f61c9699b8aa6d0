#pragma once
// Linear families that turn: derivatives of gaussians at any angle, and gaussians as long ellipsoids.

#include <vector>

#include "core/filter/families/family.h"

namespace sscope {

// In display order.
[[nodiscard]] std::vector<FilterFamily> steerableFamilies();

}  // namespace sscope
