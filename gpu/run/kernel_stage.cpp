#include "gpu/run/kernel_stage.h"

#include <utility>

namespace sscope {

namespace {

// Without a workspace nothing lies in the slots.
KernelArgument resolved(const StageArgument& argument, const Workspace* workspace) {
  return std::visit(
      [&](const auto& value) -> KernelArgument {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, Slot>) {
          return workspace == nullptr ? kNoBuffer : &workspace->at(value);
        } else if constexpr (std::is_same_v<Value, const OwnBuffer*>) {
          return value->get();
        } else {
          return value;
        }
      },
      argument);
}

std::vector<KernelArgument> resolved(const std::vector<StageArgument>& arguments, const Workspace* workspace) {
  std::vector<KernelArgument> all;
  for (const StageArgument& argument : arguments) all.push_back(resolved(argument, workspace));
  return all;
}

}  // namespace

void KernelStage::start(ProgramCache& programs, std::shared_ptr<const void> kept) {
  // No rows: the launch that only builds does nothing.
  std::vector<KernelArgument> idle = resolved(arguments, nullptr);
  idle.insert(idle.end(), 2, std::int32_t{0});
  pending = programs.start(source, idle, std::move(kept));
}

void KernelStage::finish(const Control& control) { kernel = ProgramCache::wait(std::exchange(pending, {}), control); }

SplitLaunch KernelStage::launch(const Workspace& workspace) const {
  return {kernel.get(),      source.group,
          columns,           rows,
          elementsPerRow,    operationsPerElement,
          mostOperations,    resolved(arguments, &workspace),
          source.localBytes, firstRow};
}

}  // namespace sscope
