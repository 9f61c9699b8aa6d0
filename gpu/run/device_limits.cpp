#include "gpu/run/device_limits.h"

#include <algorithm>

namespace sscope {

TilingLimits limitsOf(const DeviceProperties& device) {
  const auto told = [](std::int64_t value, std::int64_t otherwise) { return value > 0 ? value : otherwise; };
  TilingLimits limits;
  limits.threads = told(device.unitItems, device.largestGroup);
  limits.registers = told(device.unitRegisters, std::int64_t{1} << 40);
  limits.sharedBytes = told(device.unitLocalBytes, device.localBytes);
  limits.sharedBytesOfBlock = told(device.largestDynamicLocal, device.localBytes);
  limits.threadsPerWarp = static_cast<int>(told(device.lockstep, 32));
  limits.warps = std::max<std::int64_t>(1, limits.threads / limits.threadsPerWarp);
  limits.blocks = told(device.unitGroups, 8);
  return limits;
}

double expectedOccupancy(const DeviceProperties& device, std::int64_t items, const KernelAttributes& kernel,
                         std::int64_t localBytes) {
  if (device.unitItems == 0 || device.unitRegisters == 0 || kernel.registers == 0) return 0;
  const TilingLimits limits = limitsOf(device);
  return occupancyOf(limits, items, blocksAtATime(limits, items, kernel.registers, localBytes));
}

}  // namespace sscope
