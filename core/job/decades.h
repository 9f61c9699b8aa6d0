#pragma once
// Fields that span decades, such as |psi|^2: their logarithms, and the values that their colors reach over.

#include <array>
#include <memory>

#include "core/volume/volume.h"

namespace sscope {

// Common logarithms as f32, of the same shape. What is not positive lies a decade below the smallest positive value,
// what is not finite stays so. Null: nothing is positive.
[[nodiscard]] std::shared_ptr<const Volume> logarithmOf(const Volume& volume);

// The least and the largest finite value of a component, or of all for -1; {0, 0} where there is none.
[[nodiscard]] std::array<double, 2> rangeOf(const Volume& volume, int component);

}  // namespace sscope
