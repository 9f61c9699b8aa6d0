#pragma once
// Workload "formula" prepared for one CPU level.

#include <memory>

#include "core/cpu/run/kernel_table.h"
#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "core/filter/formula/workload/formula_workload.h"

namespace sscope::cpu {

// Rows of the region cut into blocks that stay in the first-level cache from step to step.
[[nodiscard]] std::unique_ptr<Plan> prepareFormula(const EngineInfo& engine, const KernelTable& kernels,
                                                   const FormulaWorkload& workload, const PrepareOptions& options);

// Expected seconds of a run of that plan.
[[nodiscard]] double predictFormula(const EngineInfo& engine, const FormulaWorkload& workload,
                                    const PrepareOptions& options);

}  // namespace sscope::cpu
