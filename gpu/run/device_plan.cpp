#include "gpu/run/device_plan.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/engine/plan_arrays.h"
#include "gpu/run/device_limits.h"
#include "gpu/run/sizes.h"

namespace sscope {

DevicePlan::DevicePlan(DeviceEngine& engine, const Workload& workload, const PrepareOptions& options)
    : engine_(engine),
      budget_(engine.budget(options.deviceMemoryLimit)),
      slots_{0},
      in_(workload.inputs()),
      out_(workload.outputs()) {
  askInput(in_[0].bytes());
  report_.engine = engine.info().id;
  const Work work = workload.work();
  report_.operations = work.operations;
  report_.bytes = work.bytes;
}

Slot DevicePlan::ask(std::int64_t bytes) {
  slots_.push_back(bytes + kSlackBytes);
  return Slot{static_cast<std::uint8_t>(slots_.size() - 1)};
}

void DevicePlan::askInput(std::int64_t bytes) { slots_[0] = bytes + kSlackBytes; }

void DevicePlan::askOwn(std::int64_t bytes, std::int64_t largest) {
  ownBytes_ += bytes;
  largestOwn_ = std::max(largestOwn_, largest);
}

void DevicePlan::requireMemory(const std::string& needs, const std::string& advice) const {
  const std::int64_t total = std::accumulate(slots_.begin(), slots_.end(), ownBytes_);
  const std::int64_t largest = std::max(largestOwn_, *std::max_element(slots_.begin(), slots_.end()));
  const std::int64_t allowed = engine_.largestBuffer();
  if (total <= budget_ && largest <= allowed) return;
  const auto megabytes = [](std::int64_t n) { return std::to_string((n + (1 << 20) - 1) >> 20) + " MiB"; };
  throw Error(ErrorKind::Memory,
              needs + " " + megabytes(total) + " on " + engine_.info().id + ", " + megabytes(largest) +
                  " of it in one buffer; " + megabytes(budget_) + " and " + megabytes(allowed) + " are available",
              advice);
}

void DevicePlan::requireGroup(const Grid& group) const {
  const std::int64_t largest = properties().largestGroup;
  if (group.count() <= largest) return;
  const std::string shape = std::to_string(group.x) + (group.y > 1 ? " x " + std::to_string(group.y) : "");
  throw Error(ErrorKind::Unsupported,
              report_.variant + " cannot run groups of " + shape + " work items on " + engine_.info().id,
              "a group there has at most " + std::to_string(largest));
}

void DevicePlan::compile(std::span<KernelStage> stages, const Control& control) {
  compile([&] {
    for (KernelStage& stage : stages) stage.start(programs());
    for (KernelStage& stage : stages) stage.finish(control);
  });
}

void DevicePlan::describeRegisters(const KernelStage& stage) {
  if (const int registers = stage.attributes().registers; registers > 0) report_.launch["registers"] = registers;
}

void DevicePlan::describe(const KernelStage& stage) {
  const KernelAttributes taken = stage.attributes();
  describeRegisters(stage);
  if (taken.privateBytes > 0) report_.launch["private bytes"] = static_cast<double>(taken.privateBytes);
  const std::int64_t local = taken.localBytes + stage.source.localBytes;
  report_.launch["local bytes"] = static_cast<double>(local);
  const double occupancy = expectedOccupancy(properties(), stage.source.group.count(), taken, local);
  if (occupancy > 0) report_.launch["occupancy"] = occupancy;
}

OwnBuffer DevicePlan::stored(std::span<const std::byte> data, const Control& control) const {
  OwnBuffer buffer = device().allocate(static_cast<std::int64_t>(data.size()));
  const auto lock = engine_.lock(control);
  engine_.transfer().write(*buffer, 0, data, control);
  return buffer;
}

std::int64_t DevicePlan::scratchBytes() const {
  return properties().cpu ? std::accumulate(slots_.begin(), slots_.end(), ownBytes_) : 0;
}

RunReport DevicePlan::run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) {
  const Stopwatch watch;
  requireArrays(in_, out_, inputs, outputs);
  control.check();
  RunReport report = report_;
  const auto lock = engine_.lock(control);
  engine_.workspace().require(slotsFor(inputs), budget_);
  DeviceRun run{engine_, inputs, outputs, control, report};
  compute(run);
  report.phases.compile = std::exchange(compileSeconds_, 0.0);
  report.phases.total = watch.seconds();
  return report;
}

}  // namespace sscope
