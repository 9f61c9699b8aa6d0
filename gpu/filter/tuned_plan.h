#pragma once
// Shared by the ladders' tuned rungs, whose kernels handle the boundaries.

#include <memory>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/filter/workload/filter_workload.h"
#include "gpu/device/kernel_source.h"
#include "gpu/filter/context.h"
#include "gpu/filter/ladder_input.h"
#include "gpu/run/device_plan.h"

namespace sscope {

class TunedPlan : public DevicePlan {
 protected:
  TunedPlan(DeviceEngine& engine, const FilterWorkload& workload, const PrepareOptions& options);

  [[nodiscard]] const FilterWorkload& workload() const { return workload_; }
  // Of the outputs, which may be a part of the whole.
  [[nodiscard]] const std::array<std::int64_t, 4>& extent() const { return extent_; }
  // What of the input is needed; places() along z are those of its slices.
  [[nodiscard]] const LadderInput& input() const { return input_; }
  // Elements of a row and of a slice of the input.
  [[nodiscard]] std::int64_t inputRow() const { return workload_.input().extent[0]; }
  [[nodiscard]] std::int64_t inputSlice() const { return inputRow() * workload_.input().extent[1]; }
  [[nodiscard]] const DenseTaps& box() const { return workload_.stencil(0).dense; }
  [[nodiscard]] Precision precision() const { return workload_.precision(); }
  [[nodiscard]] std::int64_t realBytes() const { return precision() == Precision::f32 ? 4 : 8; }
  // Elements of 16 bytes.
  [[nodiscard]] int vector() const { return precision() == Precision::f32 ? 4 : 2; }
  // The source index for each position that the taps reach along the axis, starting at the first tap of output 0.
  [[nodiscard]] std::vector<std::int32_t> places(std::size_t axis, std::int64_t extra = 0) const;

  void requireMemory() const { DevicePlan::requireMemory("the tuned kernels need", "choose a smaller shape"); }

 private:
  FilterWorkload workload_;
  std::array<std::int64_t, 4> extent_;
  LadderInput input_;
};

// Definitions of tuned_rows.h besides LEFT, LOADS and ALIGNED.
void defineTunedRows(KernelSource& source, const FilterWorkload& workload, std::int64_t tx);

// The rows "tuned" of bank, conv2d and soup; to be added before the other rungs, so that they are the defaults.
void addTunedVariants(VariantTable& variants, EngineKind kind);

// Throw what Variant::prepare throws.
[[nodiscard]] std::unique_ptr<Plan> makeTunedBank(DeviceEngine& engine, const FilterWorkload& workload,
                                                  const PrepareOptions& options, const Control& control);
[[nodiscard]] std::unique_ptr<Plan> makeTunedConv2d(DeviceEngine& engine, const FilterWorkload& workload,
                                                    const PrepareOptions& options, const Control& control);
[[nodiscard]] std::unique_ptr<Plan> makeTunedSoup(DeviceEngine& engine, const FilterWorkload& workload,
                                                  const PrepareOptions& options, const Control& control);

}  // namespace sscope
