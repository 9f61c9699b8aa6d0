#pragma once
// Results that left the range of their type: infinities, and what becomes of these.

#include <cstdint>
#include <string>

#include "core/base/control.h"
#include "core/volume/volume.h"

namespace sscope::cli {

// How many elements are NaN or infinite. Throws Canceled.
[[nodiscard]] std::int64_t notFinite(const Volume& volume, const Control& control);

// Of a result that is not finite in `count` elements though all of its input is.
[[nodiscard]] std::string overflowNotice(std::int64_t count, ElementType input, ElementType result);

}  // namespace sscope::cli
