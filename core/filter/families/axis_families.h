#pragma once
// Linear families that are designed axis by axis: polynomial fits, derivatives, passes in frequency, Hilbert.

#include <vector>

#include "core/filter/families/family.h"

namespace sscope {

// In display order.
[[nodiscard]] std::vector<FilterFamily> axisFamilies();

}  // namespace sscope
