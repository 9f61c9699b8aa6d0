#pragma once
// Linear families that are designed in frequency: log-Gabor, Butterworth, ramp, Riesz.

#include <vector>

#include "core/filter/families/family.h"

namespace sscope {

// In display order.
[[nodiscard]] std::vector<FilterFamily> frequencyFamilies();

}  // namespace sscope
