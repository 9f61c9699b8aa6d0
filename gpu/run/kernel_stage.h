#pragma once
// Kernels over grids: launches in pieces that can be canceled, and stages of plans.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "core/base/control.h"
#include "gpu/device/device.h"
#include "gpu/device/program_cache.h"
#include "gpu/device/workspace.h"

namespace sscope {

// Launches split into pieces short enough for quick cancellation.

// A kernel over a grid of `columns` by `groups`; its last two arguments, the first group and the number of groups, are
// added here.
struct SplitLaunch {
  CompiledKernel* kernel = nullptr;
  Grid group;                // work items of a work-group
  std::int64_t columns = 1;  // work items along x
  std::int64_t groups = 1;   // along y
  std::int64_t elementsPerGroup = 1;
  double operationsPerElement = 1;  // for the first guess at the time
  // If the time depends on the data: the largest time of an element. Times measured with other data are then ignored.
  double mostOperationsPerElement = 0;
  std::vector<KernelArgument> arguments;  // without the last two
  std::int64_t localBytes = 0;            // LaunchShape::localBytes
  std::int64_t firstGroup = 0;            // the first launched group, if there are more than `groups`
  // If not empty, runSplit() passes it the finished events of the pieces, in order.
  std::function<void(std::unique_ptr<DeviceEvent>)> keep{};
};

// The launch in one piece.
[[nodiscard]] KernelLaunch wholeLaunch(const SplitLaunch& launch);

// Returns the seconds on the device. `finished` is called with the share of finished groups, 0..1.
double runSplit(Device& device, const SplitLaunch& launch, const Control& control,
                const std::function<void(double share)>& finished);

// The same for dependent launches, queued together without the host in between, if each is short enough. If one is not,
// or its time is unknown, nothing is launched and the result is empty. `mayOverlap`: the kernels use AFTER_PREVIOUS.
std::optional<double> runInRow(Device& device, std::span<const SplitLaunch> launches, bool mayOverlap,
                               const Control& control);

// A plan's description of a kernel launch over a grid. Arguments name workspace buffers by slot, since these may change
// between runs.

// A buffer owned by a plan.
using OwnBuffer = std::unique_ptr<DeviceBuffer>;
// Slots and own buffers are resolved at launch.
using StageArgument = std::variant<Slot, const OwnBuffer*, const DeviceBuffer*, const DeviceImage*, std::int32_t,
                                   std::int64_t, float, double, const std::vector<std::byte>*>;

struct KernelStage {
  KernelSource source;
  std::int64_t columns = 1, rows = 1;  // work items of the whole launch, along x and along y
  std::int64_t elementsPerRow = 1;     // of the output
  double operationsPerElement = 1;     // for the first guess at the time
  // Without the last two, the first row and the number of rows (SplitLaunch). Own buffers must not move while the stage
  // exists.
  std::vector<StageArgument> arguments;
  std::shared_ptr<CompiledKernel> kernel{};  // after finish()

  // Starts building; finish() must follow. `kept`: see ProgramCache::start().
  void start(ProgramCache& programs, std::shared_ptr<const void> kept = nullptr);
  void finish(const Control& control);

  [[nodiscard]] SplitLaunch launch(const Workspace& workspace) const;
  [[nodiscard]] KernelAttributes attributes() const { return kernel->kernel->attributes(); }

  ProgramCache::Pending pending{};
  double mostOperations = 0;  // SplitLaunch::mostOperationsPerElement
  std::int64_t firstRow = 0;  // of the launch, where it leaves out those before
};

}  // namespace sscope
