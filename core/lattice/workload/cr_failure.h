#pragma once

#include <string>

#include "core/lattice/workload/cr_plan.h"

namespace sscope {

// Why there is no solution to the tolerance that was asked for, as half a sentence; empty if there is.
[[nodiscard]] std::string failureOf(const CrOutcome& outcome);

}  // namespace sscope
