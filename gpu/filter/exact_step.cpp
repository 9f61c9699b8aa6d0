// Integer results at the speed of single precision, equal to those of double precision (filter_round.kernel): the sums
// are those of another step.

#include <algorithm>

#include "core/filter/workload/rounding_error.h"
#include "gpu/filter/context.h"
#include "gpu/filter/step.h"
#include "gpu/run/launch_sizes.h"

namespace sscope {

namespace {

Stencil stencilOf(const FilterMethod& method) {
  Stencil stencil;
  stencil.terms = method.terms;
  stencil.dense = method.taps;
  return stencil;
}

SumOrder orderOf(const FilterMethod& method) { return method.terms.empty() ? SumOrder::Dense : SumOrder::Passes; }

RoundingError errorOf(const FilterContext& context, const FilterMethod& method) {
  return roundingError(*context.workload, stencilOf(method), orderOf(method));
}

class ExactStep : public FilterStep {
 public:
  ExactStep(const FilterContext& context, const FilterMethod& method)
      : c_(context),
        taps_(stencilOf(method).expanded()),
        maps_(context, taps_.size, taps_.anchor),
        error_(errorOf(context, method)) {
    FilterContext own = context;
    own.arithmetic = Precision::f32;
    own.style = launchStyle(device().properties(), Precision::f32);
    own.written = ElementType::f32;
    own.output = kUnrounded;
    sums_ = makeStep(own, method);
    describe();
    rounding_.start(c_.engine->programs());
  }

  // Like those of passes, the rounding kernel does not depend on sizes: it is built once.
  [[nodiscard]] bool ready() const override { return sums_->ready(); }
  void needSlices(const Range& outputs, std::vector<bool>& needed) const override {
    sums_->needSlices(outputs, needed);
    maps_.needSlices(outputs, needed);
  }
  void needBytes(std::int64_t slices, SlotBytes& bytes) const override {
    sums_->needBytes(slices, bytes);
    constexpr std::int64_t kSumBytes = 4;
    std::int64_t& slot = bytesAt(bytes, kUnrounded);
    slot = std::max(slot, width() * height() * slices * kSumBytes + kSlackBytes);
  }

  void finish(const Control& control) override {
    sums_->finish(control);
    rounding_.finish(control);
    maps_.finish(control);
    putTaps(device(), tapsTable_, taps_.weights, Precision::f64, control);
  }

  [[nodiscard]] bool takeWeights(const FilterMethod& method, const Control& control) override {
    const DenseTaps taps = stencilOf(method).expanded();
    if (!roundsExactly(c_, method) || taps.size != taps_.size || !sums_->takeWeights(method, control)) return false;
    taps_ = taps;
    error_ = errorOf(c_, method);
    rounding_.arguments[kErrors] = error_.relative;
    rounding_.arguments[kErrors + 1] = error_.absolute;
    putTaps(device(), tapsTable_, taps_.weights, Precision::f64, control);
    return true;
  }

  void compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) override {
    constexpr double kSums = 0.8;  // of the time
    sums_->compute(run, tile, [&](double share) { finished(kSums * share); });
    maps_.put(tile, run.control);
    const std::int64_t elements = width() * height() * tile.size();
    rounding_.rows = (elements + rounding_.elementsPerRow - 1) / rounding_.elementsPerRow;
    rounding_.arguments[kElements] = elements;
    run.launch(rounding_, &Phases::kernel, [&](double share) { finished(kSums + (1 - kSums) * share); });
  }

  [[nodiscard]] double executedTaps() const override { return sums_->executedTaps(); }

 private:
  static constexpr std::int64_t kItems = 128, kEach = 8;
  static constexpr std::size_t kErrors = 9, kElements = 13;  // among the arguments

  [[nodiscard]] Device& device() const { return c_.engine->device(); }
  [[nodiscard]] std::int64_t width() const { return c_.region().size(0) * c_.components(); }
  [[nodiscard]] std::int64_t height() const { return c_.region().size(1); }

  void describe() {
    rounding_.source = {"filter_round", {}, Precision::f64, 1, {kItems, 1}, {}};
    defineStore(rounding_.source, c_.workload->outputType(), false, false);
    rounding_.source.define("IN", std::string(toString(c_.input().type)));
    rounding_.source.define("COMPONENTS", c_.components());
    rounding_.source.define("EACH", kEach);
    rounding_.columns = kItems;
    rounding_.elementsPerRow = kItems * kEach;
    rounding_.operationsPerElement = 20;
    constexpr double kSumAgain = 200;  // in addition to its taps
    rounding_.mostOperations = kSumAgain + static_cast<double>(taps_.count());
    const std::int64_t row = c_.input().extent[0] * c_.components();
    rounding_.arguments = {kUnrounded,
                           kOutput,
                           c_.saturated,
                           kInput,
                           &tapsTable_,
                           maps_.x(),
                           maps_.y(),
                           maps_.z(),
                           c_.workload->constant(),
                           error_.relative,
                           error_.absolute,
                           row * c_.input().extent[1],
                           row,
                           std::int64_t{0},
                           int32(width()),
                           int32(height()),
                           int32(taps_.size[0]),
                           int32(taps_.size[1]),
                           int32(taps_.size[2])};
  }

  FilterContext c_;
  DenseTaps taps_;
  BoundaryMaps maps_;
  RoundingError error_;
  OwnBuffer tapsTable_;
  std::unique_ptr<FilterStep> sums_;
  KernelStage rounding_;
};

}  // namespace

bool roundsExactly(const FilterContext& context, const FilterMethod& method) {
  // The cost of a sum that is computed again, in multiply-adds for one output: measured on an H100 from 17 taps an
  // axis, 53 ns.
  constexpr double kPoint = 20000, kPointTap = 90;
  const bool sums =
      method.kind == MethodKind::Dense || method.kind == MethodKind::DenseBaked || keepsTerms(method.kind);
  if (!sums || context.written || context.engine->device().properties().cpu) return false;
  const Stencil stencil = stencilOf(method);
  const auto doubtful = doubtfulShare(*context.workload, stencil, orderOf(method));
  const auto taps = static_cast<double>(stencil.denseTaps());
  return doubtful && *doubtful * (kPoint + kPointTap * taps) < method.executedTaps();
}

std::unique_ptr<FilterStep> makeExactStep(const FilterContext& context, const FilterMethod& method) {
  return std::make_unique<ExactStep>(context, method);
}

}  // namespace sscope
