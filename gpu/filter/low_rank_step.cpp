// Dense filters as sums of few separable terms (core/filter/low_rank.h): those of other steps, and NaN and Inf put
// right afterwards where data may hold any.

#include <algorithm>
#include <cmath>

#include "gpu/filter/fused_shape.h"
#include "gpu/filter/step.h"
#include "gpu/run/sizes.h"

namespace sscope {

namespace {

// filter_mend.kernel.
class Mending {
 public:
  Mending(const Mending&) = delete;
  Mending& operator=(const Mending&) = delete;
  // Starts building the kernel.
  Mending(const FilterContext& context, const DenseTaps& taps) : c_(context), taps_(taps) {
    const auto& extent = c_.input().extent;
    stage_.source = {"filter_mend", {}, c_.precision(), 1, c_.style.group, {}};
    stage_.source.define("IN", std::string(toString(c_.input().type)));
    stage_.source.define("OUT", std::string(toString(c_.workload->outputType())));
    stage_.source.define("COMPONENTS", c_.components());
    stage_.columns = stage_.elementsPerRow = region(0).size() * c_.components();
    stage_.operationsPerElement = 4;
    const std::int64_t row = extent[0] * c_.components();
    stage_.arguments = {kInput,
                        kOutput,
                        &tapsTable_,
                        &xMap_,
                        &yMap_,
                        zMap_.buffer(),
                        realArgument(c_.workload->constant(), c_.precision()),
                        row * extent[1],
                        row,
                        int32(stage_.columns),
                        int32(region(1).size()),
                        int32(taps_.size[0]),
                        int32(taps_.size[1]),
                        int32(taps_.size[2])};
    stage_.start(c_.engine->programs());
  }

  [[nodiscard]] static bool needed(const FilterContext& context) {
    return !isInteger(context.input().type) || !std::isfinite(context.workload->constant());
  }

  void finish(const Control& control) {
    stage_.finish(control);
    xMap_ = makeTable(device(), places(0, region(0)), control);
    yMap_ = makeTable(device(), places(1, region(1)), control);
    takeWeights(taps_, control);
  }

  void takeWeights(const DenseTaps& taps, const Control& control) {
    taps_ = taps;
    putTaps(device(), tapsTable_, taps_.weights, c_.precision(), control);
  }

  void compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) {
    zMap_.put(device(), placesInTile(places(2, {tile.begin, tile.end}), tile), run.control);
    stage_.rows = region(1).size() * tile.size();
    run.launch(stage_, &Phases::kernel, finished);
  }

 private:
  [[nodiscard]] Device& device() const { return c_.engine->device(); }
  [[nodiscard]] Range region(std::size_t axis) const { return {c_.region().begin[axis], c_.region().end[axis]}; }
  [[nodiscard]] std::vector<std::int32_t> places(std::size_t axis, const Range& outputs) const {
    return placesOf(outputs, taps_.size[axis], taps_.anchor[axis], c_.input().extent[axis], c_.workload->boundary(), 0);
  }

  FilterContext c_;
  DenseTaps taps_;
  OwnBuffer tapsTable_, xMap_, yMap_;
  TileTable zMap_;
  KernelStage stage_;
};

class LowRankStep : public FilterStep {
 public:
  LowRankStep(const FilterContext& context, const FilterMethod& method) : size_(method.taps.size[2]) {
    const DeviceProperties& device = context.engine->device().properties();
    FilterContext own = context;
    own.wide = method.wide;
    own.style = launchStyle(device, own.precision());
    boundary_ = own.workload->boundary();
    anchor_ = method.taps.anchor[2];
    const bool fused = !device.cpu && !own.inPasses && std::ranges::all_of(method.terms, [&](const auto& term) {
      return std::ranges::all_of(term.axis, [](const AxisTaps& axis) { return axis.size() <= kMostFusedTaps; }) &&
             fusedShape(device, fusedNeeds(*own.workload, term, own.precision())).has_value();
    });
    terms_ = fused ? makeFusedStep(own, method) : makeSeparableStep(own, method);
    if (Mending::needed(own)) mending_ = std::make_unique<Mending>(own, method.taps);
  }

  [[nodiscard]] bool ready() const override { return terms_->ready(); }
  void needSlices(const Range& outputs, std::vector<bool>& needed) const override {
    terms_->needSlices(outputs, needed);
    if (mending_) markSlices(outputs, size_, anchor_, boundary_, needed);
  }
  void needBytes(std::int64_t slices, SlotBytes& bytes) const override { terms_->needBytes(slices, bytes); }

  void finish(const Control& control) override {
    terms_->finish(control);
    if (mending_) mending_->finish(control);
  }

  [[nodiscard]] bool takeWeights(const FilterMethod& method, const Control& control) override {
    if (mending_) mending_->takeWeights(method.taps, control);
    return terms_->takeWeights(method, control);
  }

  void compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) override {
    constexpr double kTerms = 0.95;  // of the time
    terms_->compute(run, tile, [&](double share) { finished(kTerms * share); });
    if (mending_) mending_->compute(run, tile, [&](double share) { finished(kTerms + (1 - kTerms) * share); });
    finished(1);
  }

  [[nodiscard]] double executedTaps() const override { return terms_->executedTaps(); }

 private:
  std::int64_t size_, anchor_ = 0;  // of the taps along z
  Boundary boundary_ = Boundary::nearest;
  std::unique_ptr<FilterStep> terms_;
  std::unique_ptr<Mending> mending_;  // null where all data are finite
};

}  // namespace

std::unique_ptr<FilterStep> makeLowRankStep(const FilterContext& context, const FilterMethod& method) {
  return std::make_unique<LowRankStep>(context, method);
}

}  // namespace sscope
