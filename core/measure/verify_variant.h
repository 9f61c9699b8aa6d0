#pragma once
// Verification by the rung's own bound.

#include "core/engine/variant.h"
#include "core/measure/verify.h"

namespace sscope {

// Uses the row's own check when it is a lower-precision extra, else verify().
[[nodiscard]] Verification verify(const Variant& row, const Workload& workload, std::span<const ConstArrayView> inputs,
                                  std::span<const ConstArrayView> outputs, const VerifyOptions& options,
                                  const Control& control);

}  // namespace sscope
