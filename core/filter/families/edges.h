#pragma once
// Edges where the slope is largest along its own direction.

#include "core/filter/family.h"

namespace sscope {

[[nodiscard]] FilterFamily edgesFamily();

}  // namespace sscope
