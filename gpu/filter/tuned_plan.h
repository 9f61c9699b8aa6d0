#pragma once
// What the tuned rungs of the ladders share: a run is upload, kernels, download; boundaries are part of the kernels.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "core/engine/variant.h"
#include "core/filter/workload/filter_workload.h"
#include "gpu/device/kernel_source.h"
#include "gpu/filter/context.h"
#include "gpu/run/device_engine.h"

namespace sscope {

class TunedPlan : public Plan {
 public:
  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) final;
  [[nodiscard]] std::int64_t scratchBytes() const final;

 protected:
  TunedPlan(DeviceEngine& engine, const FilterWorkload& workload, const PrepareOptions& options);

  // Buffers of a run; the input lies in Slot::Input without gaps.
  [[nodiscard]] virtual SlotBytes slotBytes() const = 0;
  // Launches, and fetches every output.
  virtual void compute(std::span<const ArrayView> outputs, RunReport& report, const Control& control) = 0;

  // Throws Error(Memory) when the buffers of slotBytes() do not fit. To be called when everything is known.
  void checkMemory() const;

  [[nodiscard]] Device& device() const { return engine_.device(); }
  [[nodiscard]] ProgramCache& programs() const { return engine_.programs(); }
  [[nodiscard]] const DeviceBuffer* slot(Slot slot) const { return &engine_.workspace().at(slot); }
  [[nodiscard]] const FilterWorkload& workload() const { return workload_; }
  [[nodiscard]] const std::array<std::int64_t, 4>& extent() const { return workload_.input().extent; }
  [[nodiscard]] const DenseTaps& box() const { return workload_.stencil(0).dense; }
  [[nodiscard]] Precision precision() const { return workload_.precision(); }
  [[nodiscard]] std::int64_t realBytes() const { return precision() == Precision::f32 ? 4 : 8; }
  // Elements of 16 bytes.
  [[nodiscard]] int vector() const { return precision() == Precision::f32 ? 4 : 2; }
  // For each position that the taps reach along the axis, from the first tap of output 0 on.
  [[nodiscard]] std::vector<std::int32_t> places(std::size_t axis, std::int64_t extra = 0) const;

  void fetch(Slot from, std::int64_t offset, const ArrayView& output, RunReport& report, const Control& control);

  DeviceEngine& engine_;
  double compileSeconds_ = 0;  // until it was reported

 private:
  FilterWorkload workload_;
  std::int64_t budget_;
};

// Definitions of tuned_rows.h besides LEFT, LOADS and ALIGNED.
void defineTunedRows(KernelSource& source, const FilterWorkload& workload, std::int64_t tx);

// The rows "tuned" of bank, conv2d and soup; to be added before the other rungs, so that they are the defaults.
void addTunedVariants(VariantTable& variants, EngineKind kind);

// Throw as Variant::prepare does.
[[nodiscard]] std::unique_ptr<Plan> makeTunedBank(DeviceEngine& engine, const FilterWorkload& workload,
                                                  const PrepareOptions& options, const Control& control);
[[nodiscard]] std::unique_ptr<Plan> makeTunedConv2d(DeviceEngine& engine, const FilterWorkload& workload,
                                                    const PrepareOptions& options, const Control& control);
[[nodiscard]] std::unique_ptr<Plan> makeTunedSoup(DeviceEngine& engine, const FilterWorkload& workload,
                                                  const PrepareOptions& options, const Control& control);

}  // namespace sscope
