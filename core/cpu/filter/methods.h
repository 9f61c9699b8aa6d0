#pragma once
// The processor's methods of workload "filter".

#include <span>

#include "core/filter/method/method.h"

namespace sscope::cpu {

[[nodiscard]] std::span<const Method> filterMethods();

}  // namespace sscope::cpu
