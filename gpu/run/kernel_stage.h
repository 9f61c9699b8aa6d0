#pragma once
// A plan's description of a kernel launch over a grid. Arguments name workspace buffers by slot, since these may change
// between runs.

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "gpu/device/program_cache.h"
#include "gpu/device/split_launch.h"
#include "gpu/device/workspace.h"

namespace sscope {

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
