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

// The threads a request stands for: all of the processor for 0, never more than there are.
[[nodiscard]] int threadCount(int requested);

// Scratch of all threads together; leaves room below the promised 64 MiB.
inline constexpr std::int64_t kScratchBudget = 48ll << 20;

// What the tiles of one thread may take.
[[nodiscard]] TileLimits tileLimits(int threads);

// Runs the steps one after the other. `report` says what every run shall report besides times and threads. Steps that
// need more scratch than a thread may have run on fewer threads.
[[nodiscard]] std::unique_ptr<Plan> makeStepPlan(const KernelTable& kernels, const FilterWorkload& workload,
                                                 std::vector<std::unique_ptr<TileStep>> steps, int threads,
                                                 RunReport report);

}  // namespace sscope::cpu
