#include "gpu/run/device_plan.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/engine/plan_arrays.h"
#include "gpu/run/device_array.h"
#include "gpu/run/device_limits.h"
#include "gpu/run/memory_need.h"
#include "gpu/run/sizes.h"

namespace sscope {

namespace {

// Whatever a run lends to slots is over when it ends.
struct Lending {
  Lending(Workspace& s, std::size_t of) : space(s), slots(of) {}
  ~Lending() {
    for (std::size_t slot = 0; slot < slots; ++slot) space.lend(Slot{static_cast<std::uint8_t>(slot)}, nullptr);
  }
  Lending(const Lending&) = delete;
  Lending& operator=(const Lending&) = delete;
  Workspace& space;
  std::size_t slots;
};

// Inputs of which those that live elsewhere have come to the host.
struct HostedInputs {
  HostedInputs(const Inputs& given, const Control& control) : arrays(given.arrays.begin(), given.arrays.end()) {
    for (std::size_t i = 0; i < given.resident.size(); ++i) {
      if (!given.resident[i]) continue;
      held.push_back(given.resident[i]->host(control));
      arrays[i] = held.back()->view();
    }
    inputs = {arrays, given.identity, {}};
  }
  std::vector<ConstArrayView> arrays;
  std::vector<std::shared_ptr<const Volume>> held;
  Inputs inputs;
};

}  // namespace

DevicePlan::DevicePlan(DeviceEngine& engine, const Workload& workload, const PrepareOptions& options)
    : engine_(engine),
      budget_(engine.budget(options.deviceMemoryLimit)),
      slots_{0},
      emptyCaches_(options.emptyCaches),
      trace_(options.trace),
      in_(workload.inputs()),
      out_(workload.outputs()) {
  askInput(in_.empty() ? 0 : in_[0].bytes());
  report_.engine = engine.info().id;
  const Work work = workload.work();
  report_.operations = work.operations;
  report_.bytes = work.bytes;
}

Slot DevicePlan::ask(std::int64_t bytes, std::string what) {
  slots_.push_back(bytes + kSlackBytes);
  slotNames_.resize(slots_.size());
  slotNames_.back() = std::move(what);
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
  requireFits(engine_, {total, largest}, budget_, needs, advice);
  // The plan's own buffers are allocated before it runs.
  const std::int64_t left = engine_.budget(0) - total;
  if (ownBytes_ == 0 || engine_.results()->bytes() <= left) return;
  const auto lock = engine_.lock({});
  engine_.results()->shrink(left, {});
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

std::vector<PlanBuffer> DevicePlan::buffers() const {
  const bool onDevice = !properties().cpu;
  std::vector<PlanBuffer> all;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i] <= kSlackBytes) continue;
    const bool named = i < slotNames_.size() && !slotNames_[i].empty();
    all.push_back({i == 0  ? "copy of the input"
                   : named ? slotNames_[i]
                           : "buffer " + std::to_string(i),
                   slots_[i], onDevice});
  }
  if (ownBytes_ > 0) all.push_back({"tables of the plan", ownBytes_, onDevice});
  return all;
}

bool DevicePlan::lendInputs(const Inputs& inputs, SlotBytes& slots) {
  std::vector<std::pair<Slot, const DeviceBuffer*>> found;
  for (std::size_t i = 0; i < inputs.resident.size(); ++i) {
    if (!inputs.resident[i]) continue;
    const auto* array = DeviceArray::of(*inputs.resident[i]);
    const std::optional<Slot> slot = inputSlot(i);
    const DeviceBuffer* buffer = array == nullptr || !slot ? nullptr : array->bufferOn(engine_);
    if (buffer == nullptr) return false;
    found.emplace_back(*slot, buffer);
  }
  for (const auto& [slot, buffer] : found) {
    engine_.workspace().lend(slot, buffer);
    slots[static_cast<std::size_t>(slot)] = 0;
  }
  return true;
}

RunReport DevicePlan::computeWith(const SlotBytes& slots, const Inputs& inputs, std::span<const ArrayView> outputs,
                                  std::span<const std::shared_ptr<ResultClaim>> kept, const Control& control,
                                  const PartPlanes* planes) {
  RunReport report = report_;
  engine_.workspace().require(slots, std::min(budget_, engine_.budget(0) - engine_.results()->bytes()), !kept.empty());
  DeviceRun run{engine_, inputs, outputs, control, report, kept, emptyCaches_, planes, trace_.get()};
  compute(run);
  report.phases.compile = std::exchange(compileSeconds_, 0.0);
  return report;
}

RunReport DevicePlan::run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) {
  const Stopwatch watch;
  requireArrays(in_, out_, inputs, outputs);
  control.check();
  {
    const auto lock = engine_.lock(control);
    SlotBytes slots = slotsFor(inputs);
    const Lending ended{engine_.workspace(), slots.size()};
    if (lendInputs(inputs, slots)) {
      engine_.results()->shrink(engine_.budget(0) - std::accumulate(slots.begin(), slots.end(), ownBytes_), control);
      RunReport report = computeWith(slots, inputs, outputs, {}, control);
      report.phases.total = watch.seconds();
      return report;
    }
  }
  const HostedInputs hosted(inputs, control);
  return run(hosted.inputs, outputs, control);
}

RunReport DevicePlan::computePart(const Inputs& inputs, const ArrayView& output, const PartPlanes& planes,
                                  const Control& control) {
  const Stopwatch watch;
  control.check();
  const auto lock = engine_.lock(control);
  const SlotBytes& slots = slotsFor(inputs);
  engine_.results()->shrink(engine_.budget(0) - std::accumulate(slots.begin(), slots.end(), ownBytes_), control);
  RunReport report = computeWith(slots, inputs, {&output, 1}, {}, control, &planes);
  report.phases.total = watch.seconds();
  return report;
}

ResidentRun DevicePlan::runResident(const Inputs& inputs, std::span<const ArraySpec> specs, VolumePool& memory,
                                    const Control& control) {
  const Stopwatch watch;
  const auto onHost = [&] {
    const HostedInputs hosted(inputs, control);
    return runResident(hosted.inputs, specs, memory, control);
  };
  const std::optional<Slot> slot = outputSlot(inputs);
  if (!slot) return Plan::runResident(inputs, specs, memory, control);
  SlotBytes slots = keptSlots(inputs);
  slots[static_cast<std::size_t>(*slot)] = 0;
  const std::int64_t room = budget_ - std::accumulate(slots.begin(), slots.end(), ownBytes_);
  std::int64_t needed = 0, largest = 0;
  for (const ArraySpec& spec : specs) {
    needed += spec.bytes() + kSlackBytes;
    largest = std::max(largest, spec.bytes() + kSlackBytes);
  }
  if (needed > room || largest > engine_.largestBuffer()) return Plan::runResident(inputs, specs, memory, control);
  requireArrays(in_, out_, inputs, specs);
  control.check();
  auto lock = engine_.lock(control);
  const std::shared_ptr<ResultStore>& store = engine_.results();
  const Lending ended{engine_.workspace(), slots.size()};
  if (!lendInputs(inputs, slots)) {
    lock.unlock();
    return onHost();
  }
  if (DeviceArray::prepared(*store, specs[0].type)) {
    DeviceArray::prepare(*store, specs[0], control);
  } else {
    compile([&] { DeviceArray::prepare(*store, specs[0], control); });
  }
  const auto claims = store->acquire(specs, room, control);
  ResidentRun ran;
  for (const auto& claim : claims) ran.outputs.push_back(std::make_shared<DeviceArray>(store, claim));
  ran.report = computeWith(slots, inputs, {}, claims, control);
  ran.report.phases.total = watch.seconds();
  return ran;
}

}  // namespace sscope
