#pragma once
// What models of occupancy need to know about the device at hand.

#include "gpu/device/device.h"
#include "gpu/run/tiling_metrics.h"

namespace sscope {

// What the driver does not tell is taken as if a compute unit held one group of the largest size, registers without
// end, and its local memory once; and eight groups at most, as all of the paper's devices.
[[nodiscard]] TilingLimits limitsOf(const DeviceProperties& device);

// 0 where the driver tells too little.
[[nodiscard]] double expectedOccupancy(const DeviceProperties& device, std::int64_t items,
                                       const KernelAttributes& kernel, std::int64_t localBytes);

}  // namespace sscope
