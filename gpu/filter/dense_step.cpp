// Dense filters. The common base: the input gathered with its boundary as REAL, then one launch for the tile.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/filter/dense_tile.h"
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

  // Writes the taps to the memory that the kernel reads.
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

// Dense filters on processors: gather the input with its boundary as REAL, then one kernel that knows no boundary.

namespace {

// Fully unrolled code beyond this many multiply-adds costs more compile time and instruction cache than it saves.
constexpr std::int64_t kLargestUnrolled = 4096;

class DenseStep : public GatheredDense {
 public:
  DenseStep(const FilterContext& context, const FilterMethod& method)
      : GatheredDense(context, method, {context.style.vector, context.style.group, context.style.vector, 1},
                      blockOf(context)) {
    describe(source(), c_.style.vector, &tapsTable_);
    dense_.start(c_.engine->programs());
  }

 private:
  void put(const Control& control) override { putTaps(device(), tapsTable_, taps_.weights, c_.precision(), control); }
  static std::int64_t blockOf(const FilterContext& context) {
    if (context.region().size(1) == 1) return 1;
    return context.engine->device().properties().cpu ? 8 : 4;
  }

  KernelSource source() const {
    KernelSource source{"filter_dense", {}, c_.precision(), c_.style.vector, c_.style.group, {}};
    defineStore(source, c_.outputType(), false, false);
    const auto [nx, ny, nz] = taps_.size;
    source.define("SIZE_X", nx);
    source.define("SIZE_Y", ny);
    source.define("SIZE_Z", nz);
    source.define("COMPONENTS", c_.components());
    source.define("BLOCK", rowsOfItem_);
    source.define("TAPS_SPACE", tapsSpace(device().properties(), taps_.count(), c_.precision()));
    // A baked kernel is fully unrolled, so that taps become immediates; otherwise two rows of taps are enough.
    const std::int64_t limit = baked_ ? kLargestUnrolled : 256;
    const std::int64_t perRow = nx * std::min(rowsOfItem_, ny), perSlice = perRow * (ny + rowsOfItem_ - 1);
    source.define("UNROLL_X", perRow <= limit ? nx : 1);
    source.define("UNROLL_Y", perSlice <= limit ? ny + rowsOfItem_ - 1 : 1);
    source.define("UNROLL_Z", baked_ && perSlice * nz <= limit ? nz : 1);
    if (baked_) {
      std::string list;
      for (const double w : taps_.weights) list += (list.empty() ? "" : ",") + kernelLiteral(w, c_.precision());
      source.define("BAKED_TAPS", list);
    }
    return source;
  }
};

}  // namespace

std::unique_ptr<FilterStep> makeDenseStep(const FilterContext& context, const FilterMethod& method) {
  if (const auto tile = denseTile(context, method.taps.size)) return makeTiledDenseStep(context, method, *tile);
  return std::make_unique<DenseStep>(context, method);
}

// Dense filters on graphics processors: gather the input with its boundary as REAL, then tiles in registers.

namespace {

constexpr std::int64_t kMostByValue = 4000;  // bytes of taps that CUDA takes as an argument, beside the others

class TiledDenseStep : public GatheredDense {
 public:
  TiledDenseStep(const FilterContext& context, const FilterMethod& method, const DenseTile& tile)
      : GatheredDense(context, method, tile.rows(), tile.ty), tile_(tile) {
    tapsValue_->resize(static_cast<std::size_t>(tableBytes()));  // for the launch that only builds the kernel
    describe(source(), tile_.tx, byValue() ? StageArgument(tapsValue_.get()) : StageArgument(&tapsTable_));
    dense_.start(c_.engine->programs(), tapsValue_);
  }

 private:
  std::vector<double> table() const { return rowsOfTaps(taps_, tile_.vector); }
  std::int64_t tableBytes() const { return std::ssize(table()) * c_.realBytes(); }
  bool byValue() const {
    return !baked_ && device().properties().language == KernelLanguage::CudaCpp && tableBytes() <= kMostByValue;
  }

  void put(const Control& control) override {
    if (!byValue()) return putTaps(device(), tapsTable_, table(), c_.precision(), control);
    *tapsValue_ = bytesOfTaps(table(), c_.precision());
  }

  KernelSource source() const {
    KernelSource source{"dense_tile", {}, c_.precision(), tile_.vector, tile_.group, {}};
    defineStore(source, c_.outputType(), false, false);
    source.extra.emplace_back("tile_store.h");
    const auto [nx, ny, nz] = taps_.size;
    source.define("SIZE_X", nx);
    source.define("SIZE_Y", ny);
    source.define("SIZE_Z", nz);
    source.define("COMPONENTS", c_.components());
    source.define("TX", tile_.tx);
    source.define("TY", tile_.ty);
    source.define("PIECE_X", tile_.piece[0]);
    source.define("PIECE_Y", tile_.piece[1]);
    source.define("UNROLL_Z", tile_.onePieceAlongZ ? nz : 1);
    source.define("ALIGNED", rows_.length() % tile_.vector == 0 ? 1 : 0);
    if (baked_) source.define("BAKED_TAPS", listOfTaps(table(), c_.precision()));
    if (tile_.leastGroups > 0 && !baked_) source.define("LEAST_GROUPS", tile_.leastGroups);
    source.define("TAPS_VALUE", byValue() ? 1 : 0);
    source.define("TAPS_SPACE",
                  tapsSpace(device().properties(), static_cast<std::int64_t>(table().size()), c_.precision()));
    return source;
  }

  DenseTile tile_;
  std::shared_ptr<std::vector<std::byte>> tapsValue_ = std::make_shared<std::vector<std::byte>>();
};

}  // namespace

std::unique_ptr<FilterStep> makeTiledDenseStep(const FilterContext& context, const FilterMethod& method,
                                               const DenseTile& tile) {
  return std::make_unique<TiledDenseStep>(context, method, tile);
}

}  // namespace sscope
