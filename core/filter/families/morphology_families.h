#pragma once
// Mathematical morphology of gray values by flat windows (J. Serra, Image Analysis and Mathematical Morphology, 1982).

#include <vector>

#include "core/filter/families/family.h"

namespace sscope {

[[nodiscard]] std::vector<FilterFamily> morphologyFamilies();

}  // namespace sscope
