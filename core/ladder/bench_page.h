#pragma once
// The report page of a benchmark with traced runs.

#include <span>
#include <string>
#include <vector>

#include "core/measure/kernel_trace.h"
#include "core/measure/measurement.h"
#include "core/measure/published.h"
#include "core/reach/scaling.h"
#include "core/report/figure.h"

namespace sscope {

// As toHtml(report), with the kernel shares and timelines of the traces, and how a workload scales over ranks.
[[nodiscard]] std::string toHtml(const BenchReport& report, std::span<const NamedTrace> traces,
                                 const reach::ScalingReport* scaling = nullptr);

// How a ladder's workload scales over ranks and devices, as table V of Videau et al. shows it and as Cassagne et al.
// expect it: what `sscope-mpi bench` measured, beside what the papers state.

// Speed-up, efficiency, and the rate of a device, over ranks. Without points there is no figure.
[[nodiscard]] std::vector<Figure> scalingFigures(const reach::ScalingReport& report,
                                                 std::span<const PublishedValue> published);

}  // namespace sscope
