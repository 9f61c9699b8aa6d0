#pragma once
// The ladders' tuned rungs, whose kernels handle the boundaries: their rows, the common base of their plans, and the
// option values that searches time.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/filter/workload/filter_workload.h"
#include "core/options/option.h"
#include "gpu/device/kernel_source.h"
#include "gpu/filter/context.h"
#include "gpu/filter/ladder_plan.h"
#include "gpu/run/device_plan.h"

namespace sscope {

// The division of rows into blocks of outputs, one per work item, and what each block loads.
struct RowBlocks {
  std::int64_t vector = 1;  // elements of a load
  std::int64_t tx = 1;      // outputs of a block, a multiple of `vector`
  std::int64_t left = 0;    // elements loaded before the first tap, so that loads begin at whole vectors
  std::int64_t loads = 1;   // vectors of a row
  bool aligned = true;      // rows begin at whole vectors
  std::int64_t blocks = 1;  // of a row
  // The blocks whose loads and outputs are all inside the row.
  std::int64_t begin = 0, end = 0;
};

// For rows of `width` elements without padding, and taps of `size` with `anchor` along x.
[[nodiscard]] inline RowBlocks blocksOf(std::int64_t width, std::int64_t size, std::int64_t anchor, std::int64_t vector,
                                        std::int64_t tx) {
  RowBlocks b;
  b.vector = vector;
  b.tx = tx;
  b.aligned = width % vector == 0;
  b.left = b.aligned ? (vector - anchor % vector) % vector : 0;
  b.loads = (b.left + tx + size - 1 + vector - 1) / vector;
  b.blocks = (width + tx - 1) / tx;
  const std::int64_t reach = anchor + b.left;
  b.begin = std::min(b.blocks, (reach + tx - 1) / tx);
  const std::int64_t last = std::min(width - tx, width + reach - b.loads * vector);  // largest x of a block inside
  b.end = last < 0 ? b.begin : std::clamp(last / tx + 1, b.begin, b.blocks);
  return b;
}

// The common base of the tuned rungs' plans.
class TunedPlan : public DevicePlan {
 protected:
  TunedPlan(DeviceEngine& engine, const FilterWorkload& workload, const PrepareOptions& options);

  [[nodiscard]] const FilterWorkload& workload() const { return workload_; }
  // The extents of the outputs, which may be a part of the whole.
  [[nodiscard]] const std::array<std::int64_t, 4>& extent() const { return extent_; }
  // The needed part of the input; places() along z are those of its slices.
  [[nodiscard]] const LadderInput& input() const { return input_; }
  // Elements of a row and of a slice of the input.
  [[nodiscard]] std::int64_t inputRow() const { return workload_.input().extent[0]; }
  [[nodiscard]] std::int64_t inputSlice() const { return inputRow() * workload_.input().extent[1]; }
  [[nodiscard]] const DenseTaps& box() const { return workload_.stencil(0).dense; }
  [[nodiscard]] Precision precision() const { return workload_.precision(); }
  [[nodiscard]] std::int64_t realBytes() const { return precision() == Precision::f32 ? 4 : 8; }
  // The number of elements in 16 bytes.
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

// Values of the tuned rows' options that are worth timing (Variant::candidates): {} first, then the most promising,
// since a search may have time for only a few.

// Filters per launch.
[[nodiscard]] std::vector<OptionValues> tunedBankCandidates(const FilterWorkload& workload);
// Several walk lengths, and tiles, for filters whose taps fit into a walk's code.
[[nodiscard]] std::vector<OptionValues> tunedConv2dCandidates(const FilterWorkload& workload);
// Rows and columns of a block.
[[nodiscard]] std::vector<OptionValues> tunedSoupCandidates(const FilterWorkload& workload);

}  // namespace sscope
