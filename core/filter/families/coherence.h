#pragma once
// Diffusion along lines and surfaces.

#include "core/filter/family.h"

namespace sscope {

[[nodiscard]] FilterFamily coherenceFamily();

}  // namespace sscope
