#pragma once
// Denoising by total variation.

#include "core/filter/family.h"

namespace sscope {

[[nodiscard]] FilterFamily totalVariationFamily();

}  // namespace sscope
