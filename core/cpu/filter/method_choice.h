#pragma once
// Whether a filter runs densely or as separable passes.

#include <string>
#include <vector>

#include "core/cpu/filter/tile_space.h"
#include "core/filter/workload/filter_workload.h"

namespace sscope::cpu {

enum class MethodRequest : std::uint8_t { Automatic, Separable, Dense };

struct MethodChoice {
  std::vector<bool> dense;  // per filter
  std::string why;          // empty when there was nothing to choose
};

[[nodiscard]] MethodChoice chooseMethods(const FilterWorkload& workload, MethodRequest request);

// Empty when the variant can run this workload, else why not.
[[nodiscard]] std::string unsupportedReason(const FilterWorkload& workload, MethodRequest request);

// The order of axes in which vectors are long and the kernels have the most to share.
[[nodiscard]] AxisOrder denseOrder(const FilterWorkload& workload, const std::vector<std::size_t>& filters);
[[nodiscard]] AxisOrder separableOrder(const FilterWorkload& workload, std::size_t filter);

}  // namespace sscope::cpu
