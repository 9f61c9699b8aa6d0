#pragma once
// Diffusion along lines and surfaces.

#include "core/filter/families/family.h"

namespace sscope {

[[nodiscard]] FilterFamily coherenceFamily();

}  // namespace sscope
