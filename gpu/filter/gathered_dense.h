#pragma once
// What dense filters share, whatever kernel computes them: the input gathered with its boundary as REAL, then one
// launch for the tile.

#include <cstdint>
#include <utility>
#include <vector>

#include "gpu/filter/gathered_rows.h"
#include "gpu/filter/step.h"

namespace sscope {

class GatheredDense : public FilterStep {
 public:
  void needSlices(const Range& outputs, std::vector<bool>& needed) const override { rows_.needSlices(outputs, needed); }
  void needBytes(std::int64_t slices, SlotBytes& bytes) const override { rows_.needBytes(slices, bytes); }

  void finish(const Control& control) override {
    rows_.finish(control);
    dense_.finish(control);
    if (!baked_) put(control);
  }

  [[nodiscard]] bool takeWeights(const FilterMethod& method, const Control& control) override {
    if (baked_ || method.taps.size != taps_.size || method.taps.anchor != taps_.anchor) return method.taps == taps_;
    taps_ = method.taps;
    put(control);
    return true;
  }

  void compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) override {
    const double gatherShare = 4.0 / (4.0 + static_cast<double>(taps_.count()));
    rows_.compute(run, tile, [&](double share) { finished(gatherShare * share); });
    dense_.rows = blocks() * tile.size();
    run.launch(dense_, &Phases::kernel, [&](double share) { finished(gatherShare + (1 - gatherShare) * share); });
  }

  [[nodiscard]] double executedTaps() const override { return static_cast<double>(taps_.count()); }

 protected:
  GatheredDense(const FilterContext& context, const FilterMethod& method, const RowLayout& layout,
                std::int64_t rowsOfItem)
      : c_(context),
        taps_(method.taps),
        baked_(method.kind == MethodKind::DenseBaked),
        rowsOfItem_(rowsOfItem),
        rows_(context, taps_.size, taps_.anchor, layout) {}

  // The taps to where the kernel reads them.
  virtual void put(const Control& control) = 0;

  // Work items along y of a slice.
  [[nodiscard]] std::int64_t blocks() const { return (c_.region().size(1) + rowsOfItem_ - 1) / rowsOfItem_; }
  [[nodiscard]] Device& device() const { return c_.engine->device(); }

  // The launch: `outputsOfItem` along x, and the taps as argument.
  void describe(KernelSource source, std::int64_t outputsOfItem, StageArgument taps) {
    dense_.source = std::move(source);
    dense_.columns = (rows_.length() + outputsOfItem - 1) / outputsOfItem;
    dense_.elementsPerRow = rows_.length() * rowsOfItem_;
    dense_.operationsPerElement = 2.0 * static_cast<double>(taps_.count());
    dense_.arguments = {kGathered,
                        c_.output,
                        taps,
                        c_.saturated,
                        rows_.pitch() * rows_.rowsY(),
                        int32(rows_.pitch()),
                        int32(rows_.length()),
                        int32(c_.region().size(1)),
                        int32(blocks())};
  }

  FilterContext c_;
  DenseTaps taps_;
  bool baked_;
  std::int64_t rowsOfItem_;
  GatheredRows rows_;
  OwnBuffer tapsTable_;
  KernelStage dense_;
};

}  // namespace sscope
