#pragma once

#include <vector>

#include "core/workload/catalog.h"

namespace sscope {

// The ladders of this subject, in the order in which they are offered.
[[nodiscard]] std::vector<WorkloadKind> filterLadders();

}  // namespace sscope
