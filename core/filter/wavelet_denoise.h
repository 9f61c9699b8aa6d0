#pragma once
// Removes small wavelet coefficients of the undecimated transform, so that results move with the data.

#include "core/filter/family.h"

namespace sscope {

[[nodiscard]] FilterFamily waveletDenoiseFamily();

}  // namespace sscope
