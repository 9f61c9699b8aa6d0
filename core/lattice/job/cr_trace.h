#pragma once
// Prepared plans of the workload cr, and their kernel traces.

#include <memory>
#include <string>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/lattice/workload/cr_plan.h"
#include "core/lattice/workload/cr_workload.h"

namespace sscope {

// The plan that VariantTable::prepare() makes, by its ability. Throws as that does, and Error(Unsupported) for a plan
// without it.
[[nodiscard]] std::shared_ptr<CrPlan> prepareCr(Engine& engine, const VariantTable& variants,
                                                const std::string& variant, const CrWorkload& workload,
                                                const PrepareOptions& options, const Control& control);

// The kernel trace of one run, after a warm-up run.
[[nodiscard]] KernelTrace traceCr(Engine& engine, const VariantTable& variants, const std::string& variant,
                                  const CrWorkload& workload, const ConstArrayView& input,
                                  const PrepareOptions& options, const Control& control);

}  // namespace sscope
