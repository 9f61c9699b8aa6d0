#pragma once
// Launches split into pieces short enough for quick cancellation.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/control.h"
#include "gpu/device/device.h"
#include "gpu/device/program_cache.h"

namespace sscope {

// A kernel over a grid of `columns` by `groups`; its last two arguments, the first group and the number of groups, are
// added here.
struct SplitLaunch {
  CompiledKernel* kernel = nullptr;
  Grid group;                // work items of a work-group
  std::int64_t columns = 1;  // work items along x
  std::int64_t groups = 1;   // along y
  std::int64_t elementsPerGroup = 1;
  double operationsPerElement = 1;  // for the first guess at the time
  // Where the data decide the time: what an element takes at most. What other data taught says nothing then.
  double mostOperationsPerElement = 0;
  std::vector<KernelArgument> arguments;  // without the last two
  std::int64_t localBytes = 0;            // LaunchShape::localBytes
  std::int64_t firstGroup = 0;            // that is launched, of more than `groups`
  // If not empty, runSplit() passes it the finished events of the pieces, in order.
  std::function<void(std::unique_ptr<DeviceEvent>)> keep{};
};

// The launch in one piece.
[[nodiscard]] KernelLaunch wholeLaunch(const SplitLaunch& launch);

// Returns the seconds on the device. `finished` is called with the share of finished groups, 0..1.
double runSplit(Device& device, const SplitLaunch& launch, const Control& control,
                const std::function<void(double share)>& finished);

// The same for dependent launches, queued together without the host in between, if each is short enough. If one is not,
// or its time is unknown, nothing is done and the result is empty. `mayOverlap`: the kernels use AFTER_PREVIOUS.
std::optional<double> runInRow(Device& device, std::span<const SplitLaunch> launches, bool mayOverlap,
                               const Control& control);

}  // namespace sscope
