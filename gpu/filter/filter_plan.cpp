#include "gpu/filter/filter_plan.h"

#include <algorithm>

#include "gpu/filter/step.h"
#include "gpu/filter/tiling.h"
#include "gpu/run/device_plan.h"

namespace sscope {

std::unique_ptr<FilterStep> makeStep(const FilterContext& context, const FilterMethod& method) {
  switch (method.kind) {
    case FilterMethod::Kind::Separable: return makeSeparableStep(context, method);
    case FilterMethod::Kind::Dense:
    case FilterMethod::Kind::DenseBaked: return makeDenseStep(context, method);
    case FilterMethod::Kind::Selection:
    case FilterMethod::Kind::Bisection: break;
  }
  return makeRankStep(context, method);
}

namespace {

class FilterPlan final : public DevicePlan {
 public:
  FilterPlan(DeviceEngine& engine, const FilterWorkload& workload, FilterVariant variant, const PrepareOptions& options,
             const Control& control)
      : DevicePlan(engine, workload, options), workload_(workload) {
    context_ = {&engine_, &workload_, launchStyle(properties(), workload.precision()), &counter_};
    compile([&] {
      methods_ = chooseMethods(workload_, variant, report_.why);
      for (const FilterMethod& method : methods_) steps_.push_back(makeStep(context_, method));
      tiling_ = chooseTiling(context_, steps_, budget_);
      slots_ = tiling_.resident.empty() ? tiling_.bytes : tiling_.resident;
      for (const auto& step : steps_) step->finish(control);
    });
    if (isInteger(workload_.outputType())) counter_ = device().allocate(sizeof(std::uint64_t));
    describe(variant);
  }

  [[nodiscard]] std::string description() const override {
    std::string text;
    for (const FilterMethod& method : methods_)
      text += (text.empty() ? "" : ", ") + method.name + " " + std::string(toString(method.kind));
    return text + "; " + std::to_string(tiling_.tiles) + (tiling_.tiles == 1 ? " tile of " : " tiles of ") +
           std::to_string(tiling_.slicesPerTile) + " slices";
  }

 protected:
  void compute(DeviceRun& run) override;
  [[nodiscard]] const SlotBytes& slotsFor(const Inputs& inputs) const override {
    return resident(inputs) ? tiling_.resident : tiling_.bytes;
  }

 private:
  [[nodiscard]] bool resident(const Inputs& inputs) const { return inputs.identity != 0 && !tiling_.resident.empty(); }
  void describe(FilterVariant variant);

  FilterWorkload workload_;
  FilterContext context_;
  std::vector<FilterMethod> methods_;
  std::vector<std::unique_ptr<FilterStep>> steps_;
  Tiling tiling_;
  OwnBuffer counter_;
};

void FilterPlan::describe(FilterVariant variant) {
  std::vector<std::string> names;
  for (const FilterMethod& method : methods_) names.emplace_back(toString(method.kind));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& name : names) report_.variant += (report_.variant.empty() ? "" : "+") + name;
  report_.writtenOut = std::none_of(methods_.begin(), methods_.end(),
                                    [](const auto& m) { return m.kind == FilterMethod::Kind::Separable; });
  const bool dense = variant == FilterVariant::Dense || variant == FilterVariant::DenseBaked;
  const bool passes = variant == FilterVariant::Separable;
  const Work work = dense || passes ? workload_.workAs(dense) : workload_.work();
  report_.operations = work.operations;
  report_.bytes = work.bytes;
  double executed = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i)
    executed += (workload_.operators()[i].stencil() != nullptr ? 2 : 1) * steps_[i]->executedTaps() *
                static_cast<double>(workload_.region().voxels() * context_.components());
  if (executed != work.operations) report_.executedOperations = executed;
  report_.tiles = static_cast<int>(tiling_.tiles);
  report_.saturated.assign(methods_.size(), 0);
}

void FilterPlan::compute(DeviceRun& run) {
  const Box& region = workload_.region();
  double total = 0, done = 0;
  for (const auto& step : steps_) total += (step->executedTaps() + 4) * static_cast<double>(region.size(2));
  for (std::int64_t z = region.begin[2]; z < region.end[2]; z += tiling_.slicesPerTile) {
    const FilterTile tile = tileAt(context_, steps_, z, tiling_.slicesPerTile, resident(run.inputs));
    run.upload(tile.slices);
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

std::unique_ptr<Plan> makeFilterPlan(DeviceEngine& engine, const FilterWorkload& workload, FilterVariant variant,
                                     const PrepareOptions& options, const Control& control) {
  return std::make_unique<FilterPlan>(engine, workload, variant, options, control);
}

}  // namespace sscope
