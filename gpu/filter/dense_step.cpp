// Dense filters on processors: gather the input with its boundary as REAL, then one kernel that knows no boundary.

#include <algorithm>

#include "gpu/filter/dense_tile.h"
#include "gpu/filter/gathered_dense.h"

namespace sscope {

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
    // A baked kernel is unrolled as far as it goes, so that taps become immediates; else two rows of taps are enough.
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

}  // namespace sscope
