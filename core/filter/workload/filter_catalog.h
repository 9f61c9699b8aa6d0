#pragma once

#include <vector>

#include "core/workload/catalog.h"

namespace sscope {

// The ladders of this subject, in display order.
[[nodiscard]] std::vector<WorkloadKind> filterLadders();

}  // namespace sscope
