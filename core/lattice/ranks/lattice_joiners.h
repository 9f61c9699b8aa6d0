#pragma once
// How engines share the workloads of the lattice.

#include <vector>

#include "core/engine/joiners.h"

namespace sscope {

[[nodiscard]] std::vector<Joiner> latticeJoiners();

}  // namespace sscope
