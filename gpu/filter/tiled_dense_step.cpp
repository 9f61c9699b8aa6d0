// Dense filters on graphics processors: gather the input with its boundary as REAL, then tiles in registers.

#include <memory>
#include <vector>

#include "gpu/filter/baked_taps.h"
#include "gpu/filter/dense_tile.h"
#include "gpu/filter/gathered_dense.h"

namespace sscope {

namespace {

constexpr std::int64_t kMostByValue = 4000;  // bytes of taps that CUDA takes as an argument, beside the others

class TiledDenseStep : public GatheredDense {
 public:
  TiledDenseStep(const FilterContext& context, const FilterMethod& method, const DenseTile& tile)
      : GatheredDense(context, method, tile.rows(), tile.ty), tile_(tile) {
    tapsValue_->resize(static_cast<std::size_t>(tableBytes()));  // for the launch that only builds
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
