#pragma once
// What all plans on devices share. A plan describes itself in its constructor: the buffers that it asks for, the
// kernels that it builds, what its reports say. A run is one function, compute(), made of stages (DeviceRun); the
// check of the arrays, the lock, the buffers and the times are here and nowhere else.

#include <cstdint>
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
  // A processor's device memory is this machine's memory.
  [[nodiscard]] std::int64_t scratchBytes() const final;

 protected:
  // Asks for kInput as large as the first input.
  DevicePlan(DeviceEngine& engine, const Workload& workload, const PrepareOptions& options);

  [[nodiscard]] Device& device() const { return engine_.device(); }
  [[nodiscard]] const DeviceProperties& properties() const { return device().properties(); }
  [[nodiscard]] ProgramCache& programs() const { return engine_.programs(); }

  // Another buffer of a run, and how large kInput is to be; both get the slack behind them (gpu/run/sizes.h).
  [[nodiscard]] Slot ask(std::int64_t bytes);
  void askInput(std::int64_t bytes);
  // What the plan will allocate for itself, `largest` of it in one buffer.
  void askOwn(std::int64_t bytes, std::int64_t largest);
  // Throws Error(Memory) when what was asked for does not fit: "`needs` 12 MiB on cuda:0".
  void requireMemory(const std::string& needs, const std::string& advice) const;
  // Throws Error(Unsupported) when the device has no groups so large.
  void requireGroup(const Grid& group) const;

  // Takes what `build` does as the compile phase of the next run.
  template <class F>
  void compile(F&& build) {
    const Stopwatch watch;
    build();
    compileSeconds_ += watch.seconds();
  }
  // Builds them all at once.
  void compile(std::span<KernelStage> stages, const Control& control);
  // What a compiled kernel takes, into `report_`; without local memory and occupancy where only registers are told.
  void describe(const KernelStage& stage);
  void describeRegisters(const KernelStage& stage);
  // A buffer of its own with this content.
  [[nodiscard]] OwnBuffer stored(std::span<const std::byte> data, const Control& control) const;

  virtual void compute(DeviceRun& run) = 0;
  // The buffers of a run with these inputs: those that were asked for.
  [[nodiscard]] virtual const SlotBytes& slotsFor(const Inputs& /*inputs*/) const { return slots_; }

  DeviceEngine& engine_;
  std::int64_t budget_;  // bytes
  SlotBytes slots_;
  RunReport report_;  // how every run's report begins

 private:
  std::vector<ArraySpec> in_, out_;
  std::int64_t ownBytes_ = 0, largestOwn_ = 0;
  double compileSeconds_ = 0;  // until it was reported
};

}  // namespace sscope
