#pragma once
// Edges where the slope is largest along its own direction.

#include "core/filter/families/family.h"

namespace sscope {

[[nodiscard]] FilterFamily edgesFamily();

}  // namespace sscope
