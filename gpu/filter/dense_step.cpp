// Dense filters on processors: gather the input with its boundary as REAL, then one kernel that knows no boundary.

#include <algorithm>

#include "gpu/filter/dense_tile.h"
#include "gpu/filter/gathered_rows.h"
#include "gpu/filter/step.h"

namespace sscope {

namespace {

// Fully unrolled code beyond this many multiply-adds costs more compile time and instruction cache than it saves.
constexpr std::int64_t kLargestUnrolled = 4096;

class DenseStep : public FilterStep {
 public:
  DenseStep(const FilterContext& context, const FilterMethod& method)
      : c_(context),
        taps_(method.taps),
        baked_(method.kind == MethodKind::DenseBaked),
        block_(c_.region().size(1) == 1 ? 1 : blockSize()),
        rows_(context, taps_.size, taps_.anchor) {
    dense_.source = source();
    dense_.columns = (rows_.length() + c_.style.vector - 1) / c_.style.vector;
    dense_.elementsPerRow = rows_.length() * block_;
    dense_.operationsPerElement = 2.0 * static_cast<double>(taps_.count());
    dense_.arguments = {kGathered,
                        kOutput,
                        &tapsTable_,
                        c_.saturated,
                        rows_.pitch() * rows_.rowsY(),
                        int32(rows_.pitch()),
                        int32(rows_.length()),
                        int32(c_.region().size(1)),
                        int32(blocks())};
    dense_.start(c_.engine->programs());
  }

  void needSlices(const Range& outputs, std::vector<bool>& needed) const override { rows_.needSlices(outputs, needed); }

  void needBytes(std::int64_t slices, SlotBytes& bytes) const override { rows_.needBytes(slices, bytes); }

  void finish(const Control& control) override {
    rows_.finish(control);
    dense_.finish(control);
    if (!baked_) putTaps(device(), tapsTable_, taps_.weights, c_.precision(), control);
  }

  [[nodiscard]] bool takeWeights(const FilterMethod& method, const Control& control) override {
    if (baked_ || method.taps.size != taps_.size || method.taps.anchor != taps_.anchor) return method.taps == taps_;
    taps_ = method.taps;
    putTaps(device(), tapsTable_, taps_.weights, c_.precision(), control);
    return true;
  }

  void compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) override {
    const double gatherShare = 4.0 / (4.0 + static_cast<double>(taps_.count()));
    rows_.compute(run, tile, [&](double share) { finished(gatherShare * share); });
    dense_.rows = blocks() * tile.size();
    run.launch(dense_, &Phases::kernel, [&](double share) { finished(gatherShare + (1 - gatherShare) * share); });
  }

  [[nodiscard]] double executedTaps() const override { return static_cast<double>(taps_.count()); }

 private:
  Device& device() const { return c_.engine->device(); }
  std::int64_t blockSize() const { return device().properties().cpu ? 8 : 4; }
  std::int64_t blocks() const { return (c_.region().size(1) + block_ - 1) / block_; }

  KernelSource source() const {
    KernelSource source{"filter_dense", {}, c_.precision(), c_.style.vector, c_.style.group, {}};
    defineStore(source, c_.workload->outputType(), false, false);
    const auto [nx, ny, nz] = taps_.size;
    source.define("SIZE_X", nx);
    source.define("SIZE_Y", ny);
    source.define("SIZE_Z", nz);
    source.define("COMPONENTS", c_.components());
    source.define("BLOCK", block_);
    source.define("TAPS_SPACE", tapsSpace(device().properties(), taps_.count(), c_.precision()));
    // A baked kernel is unrolled as far as it goes, so that taps become immediates; else two rows of taps are enough.
    const std::int64_t limit = baked_ ? kLargestUnrolled : 256;
    const std::int64_t perRow = nx * std::min(block_, ny), perSlice = perRow * (ny + block_ - 1);
    source.define("UNROLL_X", perRow <= limit ? nx : 1);
    source.define("UNROLL_Y", perSlice <= limit ? ny + block_ - 1 : 1);
    source.define("UNROLL_Z", baked_ && perSlice * nz <= limit ? nz : 1);
    if (baked_) {
      std::string list;
      for (const double w : taps_.weights) list += (list.empty() ? "" : ",") + kernelLiteral(w, c_.precision());
      source.define("BAKED_TAPS", list);
    }
    return source;
  }

  FilterContext c_;
  DenseTaps taps_;
  bool baked_;
  std::int64_t block_;
  GatheredRows rows_;
  OwnBuffer tapsTable_;
  KernelStage dense_;
};

}  // namespace

std::unique_ptr<FilterStep> makeDenseStep(const FilterContext& context, const FilterMethod& method) {
  if (const auto tile = denseTile(context, method.taps.size)) return makeTiledDenseStep(context, method, *tile);
  return std::make_unique<DenseStep>(context, method);
}

}  // namespace sscope
