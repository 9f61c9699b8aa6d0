#pragma once
// Workload "filter" prepared for one CPU level.

#include <memory>

#include "core/cpu/run/kernel_table.h"
#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "core/filter/method/method_choice.h"

namespace sscope::cpu {

[[nodiscard]] std::unique_ptr<Plan> prepareFilter(const EngineInfo& engine, const KernelTable& kernels,
                                                  const FilterWorkload& workload, MethodRequest request,
                                                  const PrepareOptions& options);

// Expected seconds of a run of that plan (CostModel::seconds).
[[nodiscard]] double predictFilter(const EngineInfo& engine, const KernelTable& kernels, const FilterWorkload& workload,
                                   MethodRequest request, const PrepareOptions& options);

}  // namespace sscope::cpu
