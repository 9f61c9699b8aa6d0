#pragma once
// Checks the arrays that a plan is run on.

#include <span>

#include "core/engine/plan.h"
#include "core/workload/workload.h"

namespace sscope {

// Throws Error(Usage) unless the arrays have the types and extents of the plan's workload.
void requireArrays(const Workload& workload, const Inputs& inputs, std::span<const ArrayView> outputs);
// The same for a plan that keeps only the specifications of its arrays.
void requireArrays(std::span<const ArraySpec> in, std::span<const ArraySpec> out, const Inputs& inputs,
                   std::span<const ArrayView> outputs);

// For outputs that the plan makes itself: their specifications instead.
void requireArrays(std::span<const ArraySpec> in, std::span<const ArraySpec> out, const Inputs& inputs,
                   std::span<const ArraySpec> outputs);

}  // namespace sscope
