#pragma once
// Families that are computed from derivatives of gaussians: gradient, hessian, vessels, structure tensor, edges.

#include <vector>

#include "core/filter/families/family.h"

namespace sscope {

// In display order.
[[nodiscard]] std::vector<FilterFamily> derivedFamilies();

}  // namespace sscope
