#pragma once
// Sizes of buffers and of launches.

#include <cstdint>
#include <functional>

#include "gpu/device/device.h"

namespace sscope {

// Sizes of device buffers.

// Vector loads may read (but not use) elements beyond the end of a row, so every buffer is this much longer.
inline constexpr std::int64_t kSlackBytes = 256;

[[nodiscard]] constexpr std::int64_t roundUp(std::int64_t n, std::int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

// The best number of outputs per work item along an axis: short walks load halos repeatedly, long ones leave the device
// half idle.

// Work-groups of `items` work items with `registers` each that a device can hold at once. If the driver does not report
// its limits, those of NVIDIA's devices since capability 7 are used, and four groups per compute unit on others.
[[nodiscard]] std::int64_t residentGroups(const DeviceProperties& device, std::int64_t items, int registers,
                                          std::int64_t localBytes);

// The number of outputs a walk along an axis of `extent`, with `taps` along it: the one whose waves of resident groups
// take the fewest steps. groups(walks) is the number of work-groups when the axis is cut into so many walks.
[[nodiscard]] std::int64_t walkLength(std::int64_t extent, std::int64_t taps, std::int64_t resident,
                                      const std::function<std::int64_t(std::int64_t walks)>& groups);

}  // namespace sscope
