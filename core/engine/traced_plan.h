#pragma once
// A plan whose runs are recorded as a whole where it records nothing itself.

#include <memory>
#include <string>

#include "core/engine/plan.h"
#include "core/engine/run_trace.h"

namespace sscope {

// `name`: of a run whose report names no variant. The plan gives the same results.
[[nodiscard]] std::unique_ptr<Plan> traced(std::unique_ptr<Plan> plan, std::string name,
                                           std::shared_ptr<RunTrace> trace);

}  // namespace sscope
