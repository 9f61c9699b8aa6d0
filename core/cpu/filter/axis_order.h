#pragma once
// The order of axes in which vectors are long and the kernels have the most to share.

#include <vector>

#include "core/cpu/filter/tile_space.h"
#include "core/filter/workload/filter_workload.h"

namespace sscope::cpu {

[[nodiscard]] AxisOrder denseOrder(const FilterWorkload& workload, const std::vector<std::size_t>& filters);
[[nodiscard]] AxisOrder separableOrder(const FilterWorkload& workload, std::size_t filter);

}  // namespace sscope::cpu
