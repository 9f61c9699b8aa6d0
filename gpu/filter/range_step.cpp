// Means weighted by likeness: gather the input with its boundary as REAL, then one kernel for single voxels or another
// one for patches.

#include <algorithm>

#include "core/filter/workload/rounding_error.h"
#include "gpu/device/device.h"
#include "gpu/filter/gathered_rows.h"
#include "gpu/filter/step.h"

namespace sscope {

namespace {

// The outputs of a work item or a group.
struct RangeShape {
  int vector = 1;
  Grid group{32, 4};
  std::int64_t block = 1;  // slices of a work item
};

bool patched(const RangeWindow& window) { return window.patchCount() > 1; }

RangeShape shapeOf(const FilterContext& context, const RangeWindow& window) {
  const bool slices = window.patch[2] > 0;
  const std::int64_t items = context.engine->device().properties().largestGroup;
  const std::int64_t side = items >= 256 ? 16 : 8;  // wider than twice the largest patch
  // PoCL 3.1 gives wrong outputs at the rims of tiles of several slices; a simulator of OpenCL (oclgrind) does not.
  const std::int64_t block = slices && !context.engine->device().properties().cpu ? 4 : 1;
  if (patched(window)) return {1, {items >= 512 ? 32 : side, side}, block};
  return {4, {items >= 128 ? 32 : 8, items >= 128 ? 4 : 1}, 1};
}

FilterContext inSingle(FilterContext context) {
  if (!roundsMeans(*context.workload)) return context;
  context.arithmetic = Precision::f32;
  context.style = launchStyle(context.engine->device().properties(), Precision::f32);
  return context;
}

class RangeStep : public FilterStep {
 public:
  RangeStep(const FilterContext& context, const FilterMethod& method)
      : c_(inSingle(context)),
        window_(method.range),
        rounds_(roundsMeans(*context.workload)),
        shape_(shapeOf(c_, window_)),
        rows_(c_, boxOf(window_), window_.anchor(), {shape_.vector, {32, 4}, shape_.vector, 1}) {
    describe();
    weigh_.start(c_.engine->programs());
  }

  void needSlices(const Range& outputs, std::vector<bool>& needed) const override { rows_.needSlices(outputs, needed); }
  void needBytes(std::int64_t slices, SlotBytes& bytes) const override { rows_.needBytes(slices, bytes); }

  void finish(const Control& control) override {
    rows_.finish(control);
    weigh_.finish(control);
    put(control);
  }

  [[nodiscard]] bool takeWeights(const FilterMethod& method, const Control& control) override {
    if (method.range.reach != window_.reach || method.range.patch != window_.patch) return false;
    window_ = method.range;
    put(control);
    return true;
  }

  void compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) override {
    const double gatherShare = 4.0 / (4.0 + operations());
    rows_.compute(run, tile, [&](double share) { finished(gatherShare * share); });
    if (patched(window_)) {
      const std::int64_t blocks = (tile.size() + shape_.block - 1) / shape_.block;
      weigh_.rows = shape_.group[1] * tilesY() * blocks * c_.components();
      weigh_.arguments[slicesAt_] = int32(tile.size());
      weigh_.arguments[slicesAt_ + 2] = int32(blocks);
    } else {
      weigh_.rows = c_.region().size(1) * tile.size();
    }
    run.launch(weigh_, &Phases::kernel, [&](double share) { finished(gatherShare + (1 - gatherShare) * share); });
  }

  [[nodiscard]] double executedTaps() const override { return operations() / 2; }

 private:
  static constexpr std::size_t kScale = 4;  // among the arguments
  static std::array<std::int64_t, 3> boxOf(const RangeWindow& window) { return Operator(window).size(); }

  [[nodiscard]] Device& device() const { return c_.engine->device(); }
  [[nodiscard]] double operations() const {
    return operationsPerWeight(window_) * static_cast<double>(window_.count());
  }
  [[nodiscard]] std::int64_t tileX() const { return shape_.group[0] - 2 * window_.patch[0]; }
  [[nodiscard]] std::int64_t tileY() const { return shape_.group[1] - 2 * window_.patch[1]; }
  [[nodiscard]] std::int64_t tilesY() const { return (c_.region().size(1) + tileY() - 1) / tileY(); }

  // Everything that depends on the values of the window's parameters.
  void put(const Control& control) {
    const std::vector<double> exponents = rangeExponents(window_);
    putTaps(device(), exponents_, exponents, c_.precision(), control);
    weigh_.arguments[kScale] = realArgument(rangeScale(window_), c_.precision());
    weigh_.arguments[kScale + 1] = realArgument(rangeFloor(window_), c_.precision());
    if (!rounds_) return;
    putTaps(device(), exactExponents_, exponents, Precision::f64, control);
    weigh_.arguments[kScale + 3] = rangeScale(window_);
    weigh_.arguments[kScale + 4] = rangeFloor(window_);
    weigh_.arguments[kScale + 5] = rangeError(window_);
  }

  void describe() {
    weigh_.source = source();
    const std::int64_t length = rows_.length();
    weigh_.arguments = {kGathered,
                        c_.output,
                        &exponents_,
                        c_.saturated,
                        realArgument(rangeScale(window_), c_.precision()),
                        realArgument(rangeFloor(window_), c_.precision())};
    if (rounds_)
      for (const StageArgument& argument : std::initializer_list<StageArgument>{
               &exactExponents_, rangeScale(window_), rangeFloor(window_), rangeError(window_)})
        weigh_.arguments.push_back(argument);
    for (const StageArgument& argument : std::initializer_list<StageArgument>{
             rows_.pitch() * rows_.rowsY(), int32(rows_.pitch()), int32(length), int32(c_.region().size(1))})
      weigh_.arguments.push_back(argument);
    weigh_.operationsPerElement = operations();
    // The cost if all means of integers are computed again.
    constexpr double kAgain = 20;
    if (rounds_) weigh_.mostOperations = kAgain * operations() * static_cast<double>(window_.patchCount());
    if (!patched(window_)) {
      weigh_.columns = (length + shape_.vector - 1) / shape_.vector;
      weigh_.elementsPerRow = length;
      return;
    }
    const std::int64_t tiles = (c_.region().size(0) + tileX() - 1) / tileX();
    weigh_.columns = tiles * shape_.group[0];
    weigh_.elementsPerRow = weigh_.columns * shape_.block;
    slicesAt_ = weigh_.arguments.size();
    for (const std::int64_t number : {std::int64_t{1}, tilesY(), std::int64_t{1}})
      weigh_.arguments.emplace_back(int32(number));
  }

  KernelSource source() const {
    KernelSource source{
        patched(window_) ? "filter_patches" : "filter_weighted", {}, c_.precision(), shape_.vector, shape_.group, {}};
    defineStore(source, c_.workload->outputType(), false, false);
    source.extra.emplace_back("range_common.h");
    constexpr std::array kAxes{"X", "Y", "Z"};
    for (std::size_t a = 0; a < 3; ++a) {
      source.define("REACH_" + std::string(kAxes[a]), window_.reach[a]);
      source.define("PATCH_" + std::string(kAxes[a]), window_.patch[a]);
    }
    source.define("COMPONENTS", c_.components());
    source.define("ROUND", rounds_ ? 1 : 0);
    source.define("BLOCK", shape_.block);
    constexpr std::int64_t kLongestRow = 48;  // in registers
    const bool fits = shape_.vector + 2 * window_.reach[0] * c_.components() <= kLongestRow;
    const bool unrolled = fits && !device().properties().cpu && c_.precision() == Precision::f32;
    source.define("IN_REGISTERS", unrolled ? 1 : 0);
    source.define("EXPONENTS_SPACE", tapsSpace(device().properties(), window_.count(), c_.precision()));
    return source;
  }

  FilterContext c_;
  RangeWindow window_;
  bool rounds_;  // integers from sums in single precision
  RangeShape shape_;
  GatheredRows rows_;
  OwnBuffer exponents_, exactExponents_;
  std::size_t slicesAt_ = 0;  // among the arguments of the kernel for patches
  KernelStage weigh_;
};

}  // namespace

std::unique_ptr<FilterStep> makeRangeStep(const FilterContext& context, const FilterMethod& method) {
  return std::make_unique<RangeStep>(context, method);
}

}  // namespace sscope
