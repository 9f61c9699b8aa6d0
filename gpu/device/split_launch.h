#pragma once
// Launches cut so short that a stop request is answered at once.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/control.h"
#include "gpu/device/device.h"
#include "gpu/device/program_cache.h"

namespace sscope {

// A kernel over a grid of `columns` by `groups`; its last two arguments are the first group and their number, which
// are added here.
struct SplitLaunch {
  CompiledKernel* kernel = nullptr;
  Grid group;                // work items of a work-group
  std::int64_t columns = 1;  // work items along x
  std::int64_t groups = 1;   // along y
  std::int64_t elementsPerGroup = 1;
  double operationsPerElement = 1;        // for the first guess at the time
  std::vector<KernelArgument> arguments;  // without the last two
  std::int64_t localBytes = 0;            // LaunchShape::localBytes
  // runSplit(), where not empty: gets the events of the pieces, in order, done.
  std::function<void(std::unique_ptr<DeviceEvent>)> keep{};
};

// All of it at once.
[[nodiscard]] KernelLaunch wholeLaunch(const SplitLaunch& launch);

// Returns the seconds on the device. `finished` is told the share of groups done, 0..1.
double runSplit(Device& device, const SplitLaunch& launch, const Control& control,
                const std::function<void(double share)>& finished);

// The same for launches that depend on each other, in one go where each is so short that nothing has to be cut: then
// the host does not stand between them. Where it is not, or not known yet, nothing is done and the answer is empty.
// `mayOverlap`: the kernels use AFTER_PREVIOUS.
std::optional<double> runInRow(Device& device, std::span<const SplitLaunch> launches, bool mayOverlap,
                               const Control& control);

}  // namespace sscope
