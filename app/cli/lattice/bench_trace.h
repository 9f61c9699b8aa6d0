#pragma once
// bench --trace: the time of every kernel of the conjugate residual.

#include <span>
#include <string>
#include <vector>

#include "app/setup/setup.h"
#include "core/measure/kernel_trace.h"
#include "core/measure/measurement.h"

namespace sscope::cli {

// Runs every row with results once more with tracing, and returns the kernel shares as text. The workload must be cr.
[[nodiscard]] std::string traceRows(const Workshop& workshop, const Workload& workload, const ConstArrayView& input,
                                    std::span<const Measurement> results, int threads, std::vector<NamedTrace>& traces,
                                    const Control& control);

}  // namespace sscope::cli
