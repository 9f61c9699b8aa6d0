#pragma once
// A filter workload as steps cut into tiles, run by a team of threads.

#include <memory>
#include <vector>

#include "core/cpu/filter/tile_step.h"
#include "core/cpu/run/kernel_table.h"
#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "core/filter/workload/filter_workload.h"

namespace sscope::cpu {

// Runs the steps one after the other. `report` is the base of every run's report, without times and threads. Steps that
// need more scratch than a thread may use run on fewer threads. `trace`: PrepareOptions::trace.
[[nodiscard]] std::unique_ptr<Plan> makeStepPlan(const KernelTable& kernels, const FilterWorkload& workload,
                                                 std::vector<std::unique_ptr<TileStep>> steps, int threads,
                                                 RunReport report, std::shared_ptr<RunTrace> trace = nullptr);

}  // namespace sscope::cpu
