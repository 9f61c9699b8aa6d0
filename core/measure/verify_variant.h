#pragma once
// Is what a rung computed right, by the bound that the rung has?

#include "core/engine/variant.h"
#include "core/measure/verify.h"

namespace sscope {

// As the row is judged where it is an extra of lower precision, else verify().
[[nodiscard]] Verification verify(const Variant& row, const Workload& workload, std::span<const ConstArrayView> inputs,
                                  std::span<const ConstArrayView> outputs, const VerifyOptions& options,
                                  const Control& control);

}  // namespace sscope
