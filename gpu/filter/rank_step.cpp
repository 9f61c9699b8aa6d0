// Order statistics: gather the input with its boundary as REAL, then one work item finds one output.

#include "gpu/device/wait.h"
#include "gpu/filter/gathered_rows.h"
#include "gpu/filter/step.h"

namespace sscope {

namespace {

class RankStep : public FilterStep {
 public:
  RankStep(const FilterContext& context, const FilterMethod& method)
      : c_(context),
        window_(method.window),
        selects_(method.kind == MethodKind::Selection),
        rows_(context, window_.size, window_.anchor) {
    search_.source = source();
    search_.columns = rows_.length();
    search_.elementsPerRow = rows_.length();
    search_.operationsPerElement = operations();
    search_.arguments = {kGathered,
                         kOutput,
                         &offsets_,
                         c_.saturated,
                         rows_.pitch() * rows_.rowsY(),
                         int32(rows_.pitch()),
                         int32(rows_.length()),
                         int32(c_.region().size(1))};
    search_.start(c_.engine->programs());
  }

  void needSlices(const Range& outputs, std::vector<bool>& needed) const override { rows_.needSlices(outputs, needed); }

  void needBytes(std::int64_t slices, SlotBytes& bytes) const override { rows_.needBytes(slices, bytes); }

  void finish(const Control& control) override {
    rows_.finish(control);
    search_.finish(control);
    std::vector<std::int64_t> offsets;
    for (const auto& [x, y, z] : window_.members)
      offsets.push_back((z * rows_.rowsY() + y) * rows_.pitch() + x * c_.components());
    offsets_ = device().allocate(static_cast<std::int64_t>(offsets.size() * sizeof offsets[0]));
    waitFor(*device().write(*offsets_, 0, std::as_bytes(std::span(offsets))), control);
  }

  [[nodiscard]] bool takeWeights(const FilterMethod& method, const Control& /*control*/) override {
    return method.window == window_;
  }

  void compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) override {
    const double gatherShare = 4.0 / (4.0 + operations());
    rows_.compute(run, tile, [&](double share) { finished(gatherShare * share); });
    search_.rows = c_.region().size(1) * tile.size();
    run.launch(search_, &Phases::kernel, [&](double share) { finished(gatherShare + (1 - gatherShare) * share); });
  }

  [[nodiscard]] double executedTaps() const override { return static_cast<double>(window_.count()); }

 private:
  Device& device() const { return c_.engine->device(); }

  // An estimate, by which launches are cut.
  double operations() const {
    const auto count = static_cast<double>(window_.count());
    return selects_ ? 0.75 * (count / 2 + 2) * (count / 2 + 2) : (c_.precision() == Precision::f32 ? 96 : 192) * count;
  }

  KernelSource source() const {
    KernelSource source{"filter_rank", {}, c_.precision(), 1, c_.style.group, {}};
    defineStore(source, c_.workload->outputType(), false, false);
    source.define("WIDE", c_.precision() == Precision::f64 ? 1 : 0);
    source.define("SELECT", selects_ ? 1 : 0);
    source.define("MEMBERS", window_.count());
    source.define("RANK", window_.rank);
    source.define("OFFSETS_SPACE", tapsSpace(device().properties(), window_.count(), Precision::f64));
    return source;
  }

  FilterContext c_;
  RankWindow window_;
  bool selects_;
  GatheredRows rows_;
  OwnBuffer offsets_;
  KernelStage search_;
};

}  // namespace

std::unique_ptr<FilterStep> makeRankStep(const FilterContext& context, const FilterMethod& method) {
  return std::make_unique<RankStep>(context, method);
}

}  // namespace sscope
