#include "gpu/run/kernel_stage.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpu/device/device.h"

namespace sscope {

namespace {

constexpr double kFirstSeconds = 0.005;  // before a kernel's speed is known
constexpr double kTargetSeconds = 0.025;
constexpr std::int64_t kLargestLaunch = 32768;  // groups; drivers specialize kernels for grids below 65536

// Deliberately low, so that the first launch is not too long.
double guessedSecondsPerElement(const DeviceProperties& device, double operations) {
  const double rate = device.cpu ? 0.5e9 * device.computeUnits : 1e9 * device.computeUnits;
  return (operations + 4) / rate;
}

// The number of groups that take no longer than a stop request may wait, even with the worst data.
std::int64_t mostGroups(const DeviceProperties& device, const SplitLaunch& launch) {
  if (launch.mostOperationsPerElement <= 0) return kLargestLaunch;
  constexpr double kMostSeconds = 0.08, kUnitRate = 1e10, kCoreRate = 1e9;
  const double rate = (device.cpu ? kCoreRate : kUnitRate) * device.computeUnits;
  const double perGroup = launch.mostOperationsPerElement * static_cast<double>(launch.elementsPerGroup) / rate;
  const double count = std::clamp(kMostSeconds / perGroup, 1.0, static_cast<double>(kLargestLaunch));
  // Launches are of whole groups along y.
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(count) / launch.group[1]) * launch.group[1];
}

// Launches groups from `first` on.
KernelLaunch launchOf(const SplitLaunch& launch, std::int64_t first, std::int64_t count) {
  KernelLaunch one{
      launch.kernel->kernel.get(),
      {{(launch.columns + launch.group[0] - 1) / launch.group[0], (count + launch.group[1] - 1) / launch.group[1]},
       launch.group,
       launch.localBytes},
      launch.arguments};
  one.arguments.emplace_back(static_cast<std::int32_t>(launch.firstGroup + first));
  one.arguments.emplace_back(static_cast<std::int32_t>(count));
  return one;
}

}  // namespace

KernelLaunch wholeLaunch(const SplitLaunch& launch) { return launchOf(launch, 0, launch.groups); }

double runSplit(Device& device, const SplitLaunch& launch, const Control& control,
                const std::function<void(double)>& finished) {
  CompiledKernel& kernel = *launch.kernel;
  double seconds = 0;
  const auto elements = static_cast<double>(launch.elementsPerGroup);
  const std::int64_t most = mostGroups(device.properties(), launch);
  std::int64_t largest = most;
  for (std::int64_t first = 0; first < launch.groups;) {
    control.check();
    const bool known = kernel.secondsPerElement > 0;
    const double perGroup =
        elements *
        (known ? kernel.secondsPerElement : guessedSecondsPerElement(device.properties(), launch.operationsPerElement));
    const double wanted = (known ? kTargetSeconds : kFirstSeconds) / perGroup;
    std::int64_t count = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(wanted, 1e9)), 1, largest);
    count = std::min((count + launch.group[1] - 1) / launch.group[1] * launch.group[1], launch.groups - first);
    const KernelLaunch one = launchOf(launch, first, count);
    auto event = device.launch(*one.kernel, one.shape, one.arguments);
    waitFor(*event, control);
    const double took = event->seconds();
    if (launch.keep) launch.keep(std::move(event));
    seconds += took;
    // A slow moment of the machine must not make all later launches tiny, nor a fast moment make them long.
    const double measured = std::max(took, 1e-7) / (elements * static_cast<double>(count));
    kernel.secondsPerElement = known ? 0.5 * (kernel.secondsPerElement + measured) : measured;
    largest = std::min(most, 8 * count);
    first += count;
    finished(static_cast<double>(first) / static_cast<double>(launch.groups));
  }
  return seconds;
}

std::optional<double> runInRow(Device& device, std::span<const SplitLaunch> launches, bool mayOverlap,
                               const Control& control) {
  double expected = 0;
  std::vector<KernelLaunch> all;
  for (const SplitLaunch& launch : launches) {
    const double rate = launch.kernel->secondsPerElement;
    if (rate <= 0 || launch.groups > mostGroups(device.properties(), launch)) return {};
    expected += rate * static_cast<double>(launch.elementsPerGroup * launch.groups);
    all.push_back(wholeLaunch(launch));
    all.back().mayOverlap = mayOverlap;
  }
  if (all.empty() || expected > kTargetSeconds) return {};
  control.check();
  const auto event = device.launchInRow(all, Queue::Kernels);
  waitFor(*event, control);
  return event->seconds();
}

namespace {

// Without a workspace, slots have no buffers.
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
  // No rows: the launch that only builds the kernel has no effect.
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
