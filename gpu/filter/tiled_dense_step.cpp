// Dense filters on graphics processors: gather the input with its boundary as REAL, then tiles in registers.

#include <memory>
#include <vector>

#include "gpu/filter/baked_taps.h"
#include "gpu/filter/dense_tile.h"
#include "gpu/filter/step.h"

namespace sscope {

namespace {

constexpr std::int64_t kMostByValue = 4000;  // bytes of taps that CUDA takes as an argument, beside the others

class TiledDenseStep : public FilterStep {
 public:
  TiledDenseStep(const FilterContext& context, const FilterMethod& method, const DenseTile& tile)
      : c_(context),
        taps_(method.taps),
        baked_(method.kind == MethodKind::DenseBaked),
        tile_(tile),
        rows_(context, taps_.size, taps_.anchor, tile.rows()) {
    tapsValue_->resize(static_cast<std::size_t>(tableBytes()));  // for the launch that only builds
    dense_.source = source();
    dense_.columns = (rows_.length() + tile_.tx - 1) / tile_.tx;
    dense_.elementsPerRow = rows_.length() * tile_.ty;
    dense_.operationsPerElement = 2.0 * static_cast<double>(taps_.count());
    dense_.arguments = {kGathered,
                        kOutput,
                        byValue() ? StageArgument(tapsValue_.get()) : StageArgument(&tapsTable_),
                        c_.saturated,
                        rows_.pitch() * rows_.rowsY(),
                        int32(rows_.pitch()),
                        int32(rows_.length()),
                        int32(c_.region().size(1)),
                        int32(blocks())};
    dense_.start(c_.engine->programs(), tapsValue_);
  }

  void needSlices(const Range& outputs, std::vector<bool>& needed) const override { rows_.needSlices(outputs, needed); }

  void needBytes(std::int64_t slices, SlotBytes& bytes) const override { rows_.needBytes(slices, bytes); }

  void finish(const Control& control) override {
    rows_.finish(control);
    dense_.finish(control);
    put(control);
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

 private:
  Device& device() const { return c_.engine->device(); }
  std::int64_t blocks() const { return (c_.region().size(1) + tile_.ty - 1) / tile_.ty; }

  std::vector<double> table() const { return rowsOfTaps(taps_, tile_.vector); }
  std::int64_t tableBytes() const { return std::ssize(table()) * c_.realBytes(); }
  bool byValue() const {
    return !baked_ && device().properties().language == KernelLanguage::CudaCpp && tableBytes() <= kMostByValue;
  }

  // The taps to where the kernel reads them.
  void put(const Control& control) {
    if (baked_) return;
    if (!byValue()) return putTaps(device(), tapsTable_, table(), c_.precision(), control);
    *tapsValue_ = bytesOfTaps(table(), c_.precision());
  }

  KernelSource source() const {
    KernelSource source{"dense_tile", {}, c_.precision(), tile_.vector, tile_.group, {}};
    defineStore(source, c_.workload->outputType(), false, false);
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
    source.define("TAPS_VALUE", byValue() ? 1 : 0);
    source.define("TAPS_SPACE",
                  tapsSpace(device().properties(), static_cast<std::int64_t>(table().size()), c_.precision()));
    return source;
  }

  FilterContext c_;
  DenseTaps taps_;
  bool baked_;
  DenseTile tile_;
  GatheredRows rows_;
  OwnBuffer tapsTable_;
  std::shared_ptr<std::vector<std::byte>> tapsValue_ = std::make_shared<std::vector<std::byte>>();
  KernelStage dense_;
};

}  // namespace

std::unique_ptr<FilterStep> makeTiledDenseStep(const FilterContext& context, const FilterMethod& method,
                                               const DenseTile& tile) {
  return std::make_unique<TiledDenseStep>(context, method, tile);
}

}  // namespace sscope
