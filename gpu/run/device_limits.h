#pragma once
// The device's limits for occupancy models.

#include "gpu/device/device.h"
#include "gpu/run/tiling_metrics.h"

namespace sscope {

// Limits that the driver does not report are assumed: one group of the largest size per compute unit, unlimited
// registers, the local memory of one group, and at most eight groups, as on all of the paper's devices.
[[nodiscard]] TilingLimits limitsOf(const DeviceProperties& device);

// 0 if the driver reports too little.
[[nodiscard]] double expectedOccupancy(const DeviceProperties& device, std::int64_t items,
                                       const KernelAttributes& kernel, std::int64_t localBytes);

}  // namespace sscope
