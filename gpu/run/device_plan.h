#pragma once
// The base of all plans on devices. The constructor describes the plan: the buffers it requests, the kernels it builds,
// and its report. A run is one function, compute(), that consists of stages (DeviceRun). This class checks the arrays,
// takes the lock, provides the buffers and measures the times.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/engine/plan.h"
#include "core/workload/workload.h"
#include "gpu/run/device_run.h"

namespace sscope {

class DevicePlan : public Plan {
 public:
  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) final;
  // The outputs stay on the device where outputSlot() names a slot and all of them fit beside what the run needs.
  [[nodiscard]] ResidentRun runResident(const Inputs& inputs, std::span<const ArraySpec> specs, VolumePool& memory,
                                        const Control& control) final;
  [[nodiscard]] bool readsResident() const final { return inputSlot(0).has_value(); }
  // A processor's device memory is this machine's memory.
  [[nodiscard]] std::int64_t scratchBytes() const final;
  [[nodiscard]] std::vector<PlanBuffer> buffers() const final;

 protected:
  // Requests kInput with the size of the first input, if there is one.
  DevicePlan(DeviceEngine& engine, const Workload& workload, const PrepareOptions& options);

  [[nodiscard]] Device& device() const { return engine_.device(); }
  [[nodiscard]] const DeviceProperties& properties() const { return device().properties(); }
  [[nodiscard]] ProgramCache& programs() const { return engine_.programs(); }

  // Requests another buffer for runs, "between passes", or sets the size of kInput; both get slack at the end
  // (gpu/run/launch_sizes.h).
  [[nodiscard]] Slot ask(std::int64_t bytes, std::string what);
  void askInput(std::int64_t bytes);
  // Announces what the plan will allocate itself, with `largest` bytes in one buffer.
  void askOwn(std::int64_t bytes, std::int64_t largest);
  // Throws Error(Memory) if the requested buffers do not fit: "`needs` 12 MiB on cuda:0".
  void requireMemory(const std::string& needs, const std::string& advice) const;
  // Throws Error(Unsupported) if the device does not support groups of this size.
  void requireGroup(const Grid& group) const;

  // Counts the time of `build` as the compile phase of the next run.
  template <class F>
  void compile(F&& build) {
    const Stopwatch watch;
    build();
    compileSeconds_ += watch.seconds();
  }
  // Builds all of them concurrently.
  void compile(std::span<KernelStage> stages, const Control& control);
  // Adds a compiled kernel's resources to `report_`; without local memory and occupancy if only registers are known.
  void describe(const KernelStage& stage);
  void describeRegisters(const KernelStage& stage);
  // A buffer owned by the plan with this content.
  [[nodiscard]] OwnBuffer stored(std::span<const std::byte> data, const Control& control) const;

  virtual void compute(DeviceRun& run) = 0;
  // For plans with the ability PartPlan, whose compute() copies only by DeviceRun::upload() and download().
  RunReport computePart(const Inputs& inputs, const ArrayView& output, const PartPlanes& planes,
                        const Control& control);
  // The slot to which a run with these inputs writes each output as a whole, after DeviceRun::leaveIn() where the run
  // keeps them; by default none.
  [[nodiscard]] virtual std::optional<Slot> outputSlot(const Inputs& /*inputs*/) const { return std::nullopt; }
  // The slot from which compute() reads an input as a whole, so that a resident input may be lent to it
  // (DeviceRun::lent); by default none.
  [[nodiscard]] virtual std::optional<Slot> inputSlot(std::size_t /*input*/) const { return std::nullopt; }
  // The buffers of a run with these inputs; by default those requested.
  [[nodiscard]] virtual const SlotBytes& slotsFor(const Inputs& /*inputs*/) const { return slots_; }
  // The same for a run that keeps its outputs.
  [[nodiscard]] virtual const SlotBytes& keptSlots(const Inputs& inputs) const { return slotsFor(inputs); }

  DeviceEngine& engine_;
  std::int64_t budget_;  // bytes
  SlotBytes slots_;
  std::vector<std::string> slotNames_;  // as many, or fewer
  RunReport report_;                    // the base of every run's report

 private:
  // Requires the engine's lock. Lends the inputs that are on this device; false, without any loan, if one is not.
  [[nodiscard]] bool lendInputs(const Inputs& inputs, SlotBytes& slots);
  // Allocates the slots and computes. `kept`: see DeviceRun.
  RunReport computeWith(const SlotBytes& slots, const Inputs& inputs, std::span<const ArrayView> outputs,
                        std::span<const std::shared_ptr<ResultClaim>> kept, const Control& control,
                        const PartPlanes* planes = nullptr);

  bool emptyCaches_;
  std::shared_ptr<RunTrace> trace_;  // may be null
  std::vector<ArraySpec> in_, out_;
  std::int64_t ownBytes_ = 0, largestOwn_ = 0;
  double compileSeconds_ = 0;  // not yet reported
};

}  // namespace sscope
