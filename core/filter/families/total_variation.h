#pragma once
// Denoising by total variation.

#include "core/filter/families/family.h"

namespace sscope {

[[nodiscard]] FilterFamily totalVariationFamily();

}  // namespace sscope
