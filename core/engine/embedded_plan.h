#pragma once
// Runs a workload with free boundaries, or a part of a periodic one, as another one with periodic boundaries
// (core/workload/free_boundaries.h).

#include <functional>
#include <memory>

#include "core/engine/plan.h"
#include "core/workload/free_boundaries.h"

namespace sscope {

// Prepares `workload` as it is if it has no free boundaries and is not a part, else as a periodic workload with
// zero-padded arrays of its own. The input is copied into them before each run, which counts as upload, and the output
// is copied out afterward, which counts as download; but if a part is some planes of a volume and the plan can read
// them in place (PartPlan), nothing is copied. threads: 1 copies on the calling thread, any other number on all cores.
// Throws Error(Memory) and what `prepare` throws.
using PrepareWorkload = std::function<std::unique_ptr<Plan>(const Workload&)>;
[[nodiscard]] std::unique_ptr<Plan> prepareEmbedded(const Workload& workload, int threads,
                                                    const PrepareWorkload& prepare);

}  // namespace sscope
