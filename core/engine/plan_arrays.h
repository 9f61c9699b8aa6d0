#pragma once
// What every plan asks of the arrays it is run on.

#include <span>

#include "core/engine/plan.h"
#include "core/workload/workload.h"

namespace sscope {

// Throws Error(Usage) unless the arrays have the types and extents of the workload that the plan was prepared for.
void requireArrays(const Workload& workload, const Inputs& inputs, std::span<const ArrayView> outputs);
// The same for a plan that remembers these only.
void requireArrays(std::span<const ArraySpec> in, std::span<const ArraySpec> out, const Inputs& inputs,
                   std::span<const ArrayView> outputs);

}  // namespace sscope
