#pragma once
// The report page of a benchmark with traced runs.

#include <span>
#include <string>

#include "core/measure/kernel_trace.h"
#include "core/measure/measurement.h"
#include "core/reach/scaling.h"

namespace sscope {

// As toHtml(report), with the kernel shares and timelines of the traces, and how a workload scales over ranks.
[[nodiscard]] std::string toHtml(const BenchReport& report, std::span<const NamedTrace> traces,
                                 const reach::ScalingReport* scaling = nullptr);

}  // namespace sscope
