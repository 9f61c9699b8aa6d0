#pragma once
// How a ladder's workload scales over ranks and devices, as table V of Videau et al. shows it and as Cassagne et al.
// expect it: what `sscope-mpi bench` measured, beside what the papers state.

#include <span>
#include <vector>

#include "core/measure/published.h"
#include "core/reach/scaling.h"
#include "core/report/figure.h"

namespace sscope {

// Speed-up, efficiency, and the rate of a device, over ranks. Without points there is no figure.
[[nodiscard]] std::vector<Figure> scalingFigures(const reach::ScalingReport& report,
                                                 std::span<const PublishedValue> published);

}  // namespace sscope
