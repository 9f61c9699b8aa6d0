#include "gpu/run/launch_sizes.h"

#include <algorithm>

namespace sscope {

namespace {

constexpr std::int64_t kShortest = 8;    // outputs; less is mostly halo
constexpr std::int64_t kStartSteps = 4;  // the cost of starting a walk, in steps

}  // namespace

std::int64_t residentGroups(const DeviceProperties& device, std::int64_t items, int registers,
                            std::int64_t localBytes) {
  if (device.lockstep == 0 && device.unitItems == 0) return std::int64_t{4} * device.computeUnits;
  const auto either = [](std::int64_t reported, std::int64_t otherwise) { return reported > 0 ? reported : otherwise; };
  std::int64_t groups = either(device.unitGroups, 32);
  groups = std::min(groups, either(device.unitItems, 2048) / items);
  // Registers are allocated in portions of 8 per work item.
  if (registers > 0)
    groups = std::min(groups, either(device.unitRegisters, 65536) / (((registers + 7) / 8 * 8) * items));
  if (localBytes > 0 && device.unitLocalBytes > 0) groups = std::min(groups, device.unitLocalBytes / localBytes);
  return std::max<std::int64_t>(1, groups) * device.computeUnits;
}

std::int64_t walkLength(std::int64_t extent, std::int64_t taps, std::int64_t resident,
                        const std::function<std::int64_t(std::int64_t)>& groups) {
  std::int64_t best = extent;
  double least = 0;
  for (std::int64_t walks = 1; walks <= std::max<std::int64_t>(1, extent / kShortest); ++walks) {
    const std::int64_t length = (extent + walks - 1) / walks;
    const std::int64_t waves = (groups(walks) + resident - 1) / resident;
    const auto cost = static_cast<double>(waves * (length + taps - 1 + kStartSteps));
    if (walks == 1 || cost < least) {
      least = cost;
      best = length;
    }
  }
  return best;
}

}  // namespace sscope
