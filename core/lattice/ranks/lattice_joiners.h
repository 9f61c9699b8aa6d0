#pragma once
// How engines share the workloads of the lattice.

#include <vector>

#include "core/engine/joined_plan.h"

namespace sscope {

[[nodiscard]] std::vector<Joiner> latticeJoiners();

}  // namespace sscope
