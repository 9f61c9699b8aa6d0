// Dense filters as sums of few separable terms (core/filter/low_rank.h): other steps compute the sums; then NaN and Inf
// are corrected if the data may hold any.

#include <algorithm>
#include <cmath>

#include "gpu/filter/context.h"
#include "gpu/filter/fused_shape.h"
#include "gpu/filter/step.h"
#include "gpu/run/launch_sizes.h"

namespace sscope {

namespace {

// filter_mend.kernel.
class Mending {
 public:
  Mending(const Mending&) = delete;
  Mending& operator=(const Mending&) = delete;
  // Starts building the kernel.
  Mending(const FilterContext& context, const DenseTaps& taps)
      : c_(context), taps_(taps), maps_(context, taps.size, taps.anchor) {
    const auto& extent = c_.input().extent;
    stage_.source = {"filter_mend", {}, c_.precision(), 1, c_.style.group, {}};
    stage_.source.define("IN", std::string(toString(c_.input().type)));
    stage_.source.define("OUT", std::string(toString(c_.workload->outputType())));
    stage_.source.define("COMPONENTS", c_.components());
    stage_.columns = stage_.elementsPerRow = c_.region().size(0) * c_.components();
    stage_.operationsPerElement = 4;
    stage_.mostOperations = static_cast<double>(taps_.count());
    const std::int64_t row = extent[0] * c_.components();
    stage_.arguments = {kInput,
                        kOutput,
                        &tapsTable_,
                        maps_.x(),
                        maps_.y(),
                        maps_.z(),
                        realArgument(c_.workload->constant(), c_.precision()),
                        row * extent[1],
                        row,
                        int32(stage_.columns),
                        int32(c_.region().size(1)),
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
    maps_.finish(control);
    takeWeights(taps_, control);
  }

  void needSlices(const Range& outputs, std::vector<bool>& needed) const { maps_.needSlices(outputs, needed); }

  void takeWeights(const DenseTaps& taps, const Control& control) {
    taps_ = taps;
    putTaps(device(), tapsTable_, taps_.weights, c_.precision(), control);
  }

  void compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) {
    maps_.put(tile, run.control);
    stage_.rows = c_.region().size(1) * tile.size();
    run.launch(stage_, &Phases::kernel, finished);
  }

 private:
  [[nodiscard]] Device& device() const { return c_.engine->device(); }
  FilterContext c_;
  DenseTaps taps_;
  BoundaryMaps maps_;
  OwnBuffer tapsTable_;
  KernelStage stage_;
};

class LowRankStep : public FilterStep {
 public:
  LowRankStep(const FilterContext& context, const FilterMethod& method) {
    const DeviceProperties& device = context.engine->device().properties();
    FilterContext own = context;
    if (method.wide) own.arithmetic = Precision::f64;
    own.style = launchStyle(device, own.precision());
    const bool fused = !device.cpu && !own.inPasses && std::ranges::all_of(method.terms, [&](const auto& term) {
      return std::ranges::all_of(term.axis, [](const AxisTaps& axis) { return axis.size() <= kMostFusedTaps; }) &&
             fusedShape(device, fusedNeeds(*own.workload, fusedLines({{{term}}}), own.precision())).has_value();
    });
    if (fused && fusedTogether(own, {{method.terms}})) {
      terms_ = makeFusedBankStep(own, {&method, 1}, {&own.saturated, 1});
    } else {
      terms_ = fused ? makeFusedStep(own, method) : makeSeparableStep(own, method);
    }
    if (Mending::needed(own)) mending_ = std::make_unique<Mending>(own, method.taps);
  }

  // Like those of passes, the mending kernel does not depend on sizes: it is built once.
  [[nodiscard]] bool ready() const override { return terms_->ready(); }
  void needSlices(const Range& outputs, std::vector<bool>& needed) const override {
    terms_->needSlices(outputs, needed);
    if (mending_) mending_->needSlices(outputs, needed);
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
  std::unique_ptr<FilterStep> terms_;
  std::unique_ptr<Mending> mending_;  // null if all data are finite
};

}  // namespace

std::unique_ptr<FilterStep> makeLowRankStep(const FilterContext& context, const FilterMethod& method) {
  return std::make_unique<LowRankStep>(context, method);
}

}  // namespace sscope
