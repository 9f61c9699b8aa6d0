#pragma once
// Fields that span decades, such as |psi|^2: their logarithms, and the range of values for their colors.

#include <array>
#include <memory>

#include "core/volume/volume.h"

namespace sscope {

// Common logarithms as f32, of the same shape. Values that are not positive are put a decade below the smallest
// positive one; NaN and Inf stay. Null when no value is positive.
[[nodiscard]] std::shared_ptr<const Volume> logarithmOf(const Volume& volume);

// The smallest and largest finite value of a component (-1: of all components); {0, 0} when there is none.
[[nodiscard]] std::array<double, 2> rangeOf(const Volume& volume, int component);

}  // namespace sscope
