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

// As toHtml(report), with the kernel shares and timelines of the traces, and the scaling of a workload over ranks.
[[nodiscard]] std::string toHtml(const BenchReport& report, std::span<const NamedTrace> traces,
                                 const reach::ScalingReport* scaling = nullptr);

// The scaling of a ladder's workload over ranks and devices, as in table V of Videau et al. and in the outlook of
// Cassagne et al.: speed-up, efficiency and the rate of a device, as measured by `sscope-mpi bench`, beside the values
// of the papers. Without points there is no figure.
[[nodiscard]] std::vector<Figure> scalingFigures(const reach::ScalingReport& report,
                                                 std::span<const PublishedValue> published);

}  // namespace sscope
