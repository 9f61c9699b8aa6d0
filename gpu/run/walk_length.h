#pragma once
// How far one work item should walk: short walks load the halo again and again, long ones leave the device half empty.

#include <cstdint>
#include <functional>

#include "gpu/device/device.h"

namespace sscope {

// Work-groups of `items` work items with `registers` each that a device holds at once. Where the driver does not tell
// its limits, those of NVIDIA's devices since capability 7 stand in, and four groups a compute unit for others.
[[nodiscard]] std::int64_t residentGroups(const DeviceProperties& device, std::int64_t items, int registers,
                                          std::int64_t localBytes);

// The number of outputs a walk along an axis of `extent`, with `taps` along it: the one whose waves of resident groups
// take the fewest steps. groups(walks) is the number of work-groups when the axis is cut into so many walks.
[[nodiscard]] std::int64_t walkLength(std::int64_t extent, std::int64_t taps, std::int64_t resident,
                                      const std::function<std::int64_t(std::int64_t walks)>& groups);

}  // namespace sscope
