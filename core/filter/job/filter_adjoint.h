#pragma once
// The adjoint of a linear filter as a filter.

#include <cstddef>

#include "core/compare/case.h"
#include "core/filter/workload/filter_workload.h"

namespace sscope {

// Of linear filters of floating-point numbers: the mirrored taps, where data are 0 outside or periodic. With reflected
// data, taps that are even along every axis are their own adjoint. All others have none that is such a filter.
[[nodiscard]] compare::Adjoint filterAdjoint(const FilterWorkload& workload, std::size_t output);

}  // namespace sscope
