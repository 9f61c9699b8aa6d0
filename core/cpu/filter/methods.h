#pragma once
// The processor's methods of workload "filter", whose work depends on the level.

#include <span>

#include "core/cpu/run/simd_level.h"
#include "core/filter/method/method.h"

namespace sscope::cpu {

[[nodiscard]] std::span<const Method> filterMethods(SimdLevel level);

}  // namespace sscope::cpu
