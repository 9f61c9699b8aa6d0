#pragma once
// A kernel over a grid, as plans describe it. Its arguments name the buffers of the workspace, which may be others in
// the next run.

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "gpu/device/program_cache.h"
#include "gpu/device/split_launch.h"
#include "gpu/device/workspace.h"

namespace sscope {

// A buffer that a plan keeps for itself.
using OwnBuffer = std::unique_ptr<DeviceBuffer>;
// A slot or an own buffer stands for what is there at the launch.
using StageArgument = std::variant<Slot, const OwnBuffer*, const DeviceBuffer*, const DeviceImage*, std::int32_t,
                                   std::int64_t, float, double>;

struct KernelStage {
  KernelSource source;
  std::int64_t columns = 1, rows = 1;  // work items of the whole launch, along x and along y
  std::int64_t elementsPerRow = 1;     // of the output
  double operationsPerElement = 1;     // for the first guess at the time
  // Without the first row and their number, which come last (SplitLaunch). Own buffers stay where they are as long as
  // the stage.
  std::vector<StageArgument> arguments;
  std::shared_ptr<CompiledKernel> kernel{};  // after finish()

  // Starts building; finish() must follow. `kept`: see ProgramCache::start().
  void start(ProgramCache& programs, std::shared_ptr<const void> kept = nullptr);
  void finish(const Control& control);

  [[nodiscard]] SplitLaunch launch(const Workspace& workspace) const;
  [[nodiscard]] KernelAttributes attributes() const { return kernel->kernel->attributes(); }

  ProgramCache::Pending pending{};
};

}  // namespace sscope
