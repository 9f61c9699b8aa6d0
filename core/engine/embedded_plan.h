#pragma once
// A plan for a workload with free boundaries, from one for periodic boundaries
// (core/workload/free_boundaries.h).

#include <functional>
#include <memory>

#include "core/engine/plan.h"
#include "core/workload/free_boundaries.h"

namespace sscope {

// `workload` itself where it has no free boundaries, else prepared as a periodic one, with arrays of its own around it:
// the input is copied into zeros before each run, the output cut out after it. Both count as upload and download.
// threads: those that may copy, 0 for all. Throws what `prepare` throws, Error(Memory).
using PrepareWorkload = std::function<std::unique_ptr<Plan>(const Workload&)>;
[[nodiscard]] std::unique_ptr<Plan> prepareEmbedded(const Workload& workload, int threads,
                                                    const PrepareWorkload& prepare);

}  // namespace sscope
