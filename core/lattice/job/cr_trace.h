#pragma once
// Plans of the workload cr as what they are, and their traces.

#include <memory>
#include <string>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/lattice/workload/cr_plan.h"
#include "core/lattice/workload/cr_workload.h"

namespace sscope {

// As VariantTable::prepare(), tiles that a search has found included.
[[nodiscard]] std::unique_ptr<CrPlan> prepareCr(Engine& engine, const VariantTable& variants,
                                                const std::string& variant, const CrWorkload& workload,
                                                PrepareOptions options, const Control& control);

// One run of the workload, after one that warms up: when each kernel started and ended.
[[nodiscard]] KernelTrace traceCr(Engine& engine, const VariantTable& variants, const std::string& variant,
                                  const CrWorkload& workload, const ConstArrayView& input,
                                  const PrepareOptions& options, const Control& control);

}  // namespace sscope
