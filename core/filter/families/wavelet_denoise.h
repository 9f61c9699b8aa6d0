#pragma once
// Removes small wavelet coefficients of the undecimated transform, so that results move with the data.

#include "core/filter/families/family.h"

namespace sscope {

[[nodiscard]] FilterFamily waveletDenoiseFamily();

}  // namespace sscope
