#include "gpu/filter/filter_plan.h"

#include "core/filter/workload/filter_shape.h"
#include "gpu/filter/gathered_rows.h"
#include "gpu/filter/step.h"
#include "gpu/filter/tiling.h"
#include "gpu/run/device_plan.h"

namespace sscope {

std::unique_ptr<FilterStep> makeStep(const FilterContext& context, const FilterMethod& method) {
  switch (method.kind) {
    case MethodKind::Separable: return makeSeparableStep(context, method);
    case MethodKind::Dense:
    case MethodKind::DenseBaked: return makeDenseStep(context, method);
    case MethodKind::Fft:
    case MethodKind::Selection:
    case MethodKind::Bisection: break;
  }
  return makeRankStep(context, method);
}

namespace {

MethodChoice filterChoice(const EngineInfo& engine, const FilterWorkload& workload, MethodRequest request,
                          const PrepareOptions& options) {
  const CostModel model(engine, workload.precision(), 0, options.ceilings);
  return chooseMethods(workload, deviceFilterMethods(), model, request);
}

class FilterPlan final : public DevicePlan {
 public:
  FilterPlan(DeviceEngine& engine, const FilterWorkload& workload, MethodRequest request, const PrepareOptions& options,
             const Control& control)
      : DevicePlan(engine, workload, options), workload_(workload), request_(request) {
    context_ = {&engine_, &workload_, launchStyle(properties(), workload.precision()), &counter_, &gathered_};
    compile([&] {
      choose(options);
      for (const FilterMethod& method : methods_) steps_.push_back(makeStep(context_, method));
      tiling_ = chooseTiling(context_, steps_, budget_);
      slots_ = tiling_.resident.empty() ? tiling_.bytes : tiling_.resident;
      for (const auto& step : steps_) step->finish(control);
    });
    if (isInteger(workload_.outputType())) counter_ = device().allocate(sizeof(std::uint64_t));
    report_.tiles = static_cast<int>(tiling_.tiles);
    report_.saturated.assign(methods_.size(), 0);
  }

  [[nodiscard]] std::string description() const override {
    std::string text;
    for (const FilterMethod& method : methods_)
      text += (text.empty() ? "" : ", ") + method.name + " " + std::string(toString(method.kind));
    return text + "; " + std::to_string(tiling_.tiles) + (tiling_.tiles == 1 ? " tile of " : " tiles of ") +
           std::to_string(tiling_.slicesPerTile) + " slices";
  }

  bool adopt(const Workload& workload, const Control& control) override;

 protected:
  void compute(DeviceRun& run) override;
  [[nodiscard]] const SlotBytes& slotsFor(const Inputs& inputs) const override {
    return resident(inputs) ? tiling_.resident : tiling_.bytes;
  }

 private:
  [[nodiscard]] bool resident(const Inputs& inputs) const { return inputs.identity != 0 && !tiling_.resident.empty(); }
  [[nodiscard]] MethodChoice choiceFor(const FilterWorkload& workload, const PrepareOptions& options) const {
    return filterChoice(engine_.info(), workload, request_, options);
  }
  void choose(const PrepareOptions& options);

  FilterWorkload workload_;
  MethodRequest request_;
  FilterContext context_;
  std::vector<FilterMethod> methods_;
  std::vector<std::unique_ptr<FilterStep>> steps_;
  Tiling tiling_;
  std::optional<GatheredBox> gathered_;
  OwnBuffer counter_;
};

void FilterPlan::choose(const PrepareOptions& options) {
  const MethodChoice choice = choiceFor(workload_, options);
  methods_ = methodsOf(workload_, choice);
  report_ = reportOf(workload_, choice, request_);
  report_.engine = engine_.info().id;
}

// Dense taps that can be factored may become some that cannot, and the other way round.
bool FilterPlan::adopt(const Workload& workload, const Control& control) {
  const auto* next = dynamic_cast<const FilterWorkload*>(&workload);
  if (next == nullptr || !sameShape(workload_, *next)) return false;
  const MethodChoice choice = choiceFor(*next, {});
  std::vector<FilterMethod> methods = methodsOf(*next, choice);
  if (choice.why != report_.why) return false;
  for (std::size_t f = 0; f < methods.size(); ++f)
    if (methods[f].kind != methods_[f].kind || !sameShape(methods[f].terms, methods_[f].terms)) return false;
  workload_ = *next;
  methods_ = std::move(methods);
  for (std::size_t f = 0; f < methods_.size(); ++f)
    if (!steps_[f]->takeWeights(methods_[f], control)) return false;
  return true;
}

void FilterPlan::compute(DeviceRun& run) {
  const Box& region = workload_.region();
  double total = 0, done = 0;
  for (const auto& step : steps_) total += (step->executedTaps() + 4) * static_cast<double>(region.size(2));
  for (std::int64_t z = region.begin[2]; z < region.end[2]; z += tiling_.slicesPerTile) {
    const FilterTile tile = tileAt(context_, steps_, z, tiling_.slicesPerTile, resident(run.inputs));
    run.upload(tile.slices);
    gathered_.reset();
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const double share = (steps_[i]->executedTaps() + 4) * static_cast<double>(tile.size()) / total;
      run.report.saturated[i] += run.counted(
          counter_, 1, [&] { steps_[i]->compute(run, tile, run.part(done, done + share, "filtering")); })[0];
      done += share;
      run.downloadSlices(kOutput, i, tile.begin - region.begin[2], tile.size());
    }
  }
}

}  // namespace

std::unique_ptr<Plan> makeFilterPlan(DeviceEngine& engine, const FilterWorkload& workload, MethodRequest request,
                                     const PrepareOptions& options, const Control& control) {
  return std::make_unique<FilterPlan>(engine, workload, request, options, control);
}

double predictFilter(const EngineInfo& engine, const FilterWorkload& workload, MethodRequest request,
                     const PrepareOptions& options) {
  return filterChoice(engine, workload, request, options).seconds;
}

}  // namespace sscope
