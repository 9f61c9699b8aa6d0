#pragma once
// How a ladder's workload scales over ranks and devices, as table V of Videau et al. has it and as Cassagne et al. look
// out for: what was measured by `sscope-mpi bench --scaling`, beside what the papers state and what a model predicts.

#include <span>
#include <string_view>
#include <vector>

#include "core/ladder/figure.h"
#include "core/measure/published.h"
#include "core/reach/scaling_record.h"

namespace sscope {

// Speed-up, efficiency, and the rate of a device, over ranks. Records of other workloads are left out; without any
// there is no figure.
[[nodiscard]] std::vector<Figure> scalingFigures(std::string_view workload,
                                                 std::span<const reach::ScalingRecord> records,
                                                 std::span<const PublishedValue> published);

}  // namespace sscope
