#include "gpu/filter/filter_plan.h"

#include <algorithm>
#include <numeric>

#include "core/base/stopwatch.h"
#include "core/engine/plan_arrays.h"
#include "gpu/device/wait.h"
#include "gpu/filter/step.h"
#include "gpu/filter/tiling.h"

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

class FilterPlan : public Plan {
 public:
  FilterPlan(DeviceEngine& engine, const FilterWorkload& workload, FilterVariant variant, const PrepareOptions& options,
             const Control& control)
      : engine_(engine), workload_(workload), variant_(variant), budget_(engine.budget(options.deviceMemoryLimit)) {
    context_ = {&engine_, &workload_, launchStyle(engine.device().properties(), workload.precision())};
    const Stopwatch watch;
    methods_ = chooseMethods(workload_, variant, why_);
    for (const FilterMethod& method : methods_) steps_.push_back(makeStep(context_, method));
    tiling_ = chooseTiling(context_, steps_, budget_);
    for (const auto& step : steps_) step->finish(control);
    compileSeconds_ = watch.seconds();
    counter_ = engine_.device().allocate(sizeof(std::uint64_t));
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override;

  [[nodiscard]] std::int64_t scratchBytes() const override {
    // A processor's device memory is this machine's memory.
    if (!engine_.device().properties().cpu) return 0;
    const SlotBytes resident = tileBytes(context_, steps_, tiling_.slicesPerTile, tiling_.residentFits);
    return std::accumulate(resident.begin(), resident.end(), std::int64_t{0});
  }

  [[nodiscard]] std::string description() const override {
    std::string text;
    for (const FilterMethod& method : methods_)
      text += (text.empty() ? "" : ", ") + method.name + " " + std::string(toString(method.kind));
    return text + "; " + std::to_string(tiling_.tiles) + (tiling_.tiles == 1 ? " tile of " : " tiles of ") +
           std::to_string(tiling_.slicesPerTile) + " slices";
  }

 private:
  void upload(const Inputs& inputs, const FilterTile& tile, bool resident, RunReport& report, const Control& control);
  std::int64_t runStep(FilterStep& step, const FilterTile& tile, RunReport& report, const Control& control,
                       const std::function<void(double)>& finished);
  RunReport emptyReport() const;

  DeviceEngine& engine_;
  FilterWorkload workload_;
  FilterVariant variant_;
  std::int64_t budget_;
  std::string why_;
  FilterContext context_;
  std::vector<FilterMethod> methods_;
  std::vector<std::unique_ptr<FilterStep>> steps_;
  Tiling tiling_;
  std::unique_ptr<DeviceBuffer> counter_;
  double compileSeconds_ = 0;  // until it was reported
};

void FilterPlan::upload(const Inputs& inputs, const FilterTile& tile, bool resident, RunReport& report,
                        const Control& control) {
  Workspace& work = engine_.workspace();
  const ResidentInput wanted{inputs.identity, workload_.input()};
  if (resident && work.resident == wanted) return;
  const Stopwatch watch;
  work.resident.reset();
  engine_.transfer().uploadSlices(inputs.arrays[0], tile.slices, work.at(Slot::Input), control);
  if (resident) work.resident = wanted;
  report.phases.upload += watch.seconds();
}

// Returns the number of saturated elements.
std::int64_t FilterPlan::runStep(FilterStep& step, const FilterTile& tile, RunReport& report, const Control& control,
                                 const std::function<void(double)>& finished) {
  const bool counts = isInteger(workload_.outputType());
  std::uint64_t count = 0;
  const auto bytes = std::as_writable_bytes(std::span(&count, 1));
  if (counts) waitFor(*engine_.device().write(*counter_, 0, bytes), control);
  report.phases.kernel += step.run(tile, *counter_, control, finished);
  if (counts) waitFor(*engine_.device().read(*counter_, 0, bytes), control);
  return static_cast<std::int64_t>(count);
}

RunReport FilterPlan::emptyReport() const {
  RunReport report;
  report.engine = engine_.info().id;
  report.why = why_;
  std::vector<std::string> names;
  for (const FilterMethod& method : methods_) names.emplace_back(toString(method.kind));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& name : names) report.variant += (report.variant.empty() ? "" : "+") + name;
  report.writtenOut = std::none_of(methods_.begin(), methods_.end(),
                                   [](const auto& m) { return m.kind == FilterMethod::Kind::Separable; });
  const bool dense = variant_ == FilterVariant::Dense || variant_ == FilterVariant::DenseBaked;
  const bool passes = variant_ == FilterVariant::Separable;
  const Work work = dense || passes ? workload_.workAs(dense) : workload_.work();
  report.operations = work.operations;
  report.bytes = work.bytes;
  double executed = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i)
    executed += (workload_.operators()[i].stencil() != nullptr ? 2 : 1) * steps_[i]->executedTaps() *
                static_cast<double>(workload_.region().voxels() * context_.components());
  if (executed != work.operations) report.executedOperations = executed;
  report.tiles = static_cast<int>(tiling_.tiles);
  report.saturated.assign(methods_.size(), 0);
  return report;
}

RunReport FilterPlan::run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) {
  const Stopwatch watch;
  requireArrays(workload_, inputs, outputs);
  control.check();
  RunReport report = emptyReport();
  const auto lock = engine_.lock(control);
  const bool resident = inputs.identity != 0 && tiling_.residentFits;
  engine_.workspace().require(resident ? tileBytes(context_, steps_, tiling_.slicesPerTile, true) : tiling_.bytes,
                              budget_);
  const Box& region = workload_.region();
  double total = 0, done = 0;
  for (const auto& step : steps_) total += (step->executedTaps() + 4) * static_cast<double>(region.size(2));
  for (std::int64_t z = region.begin[2]; z < region.end[2]; z += tiling_.slicesPerTile) {
    const FilterTile tile = tileAt(context_, steps_, z, tiling_.slicesPerTile, resident);
    upload(inputs, tile, resident, report, control);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const double share = (steps_[i]->executedTaps() + 4) * static_cast<double>(tile.size()) / total;
      report.saturated[i] += runStep(*steps_[i], tile, report, control,
                                     [&](double part) { control.report(done + share * part, "filtering"); });
      done += share;
      const Stopwatch download;
      engine_.transfer().downloadSlices(engine_.workspace().at(Slot::Output), outputs[i], tile.begin - region.begin[2],
                                        tile.size(), control);
      report.phases.download += download.seconds();
    }
  }
  report.phases.compile = std::exchange(compileSeconds_, 0.0);
  report.phases.total = watch.seconds();
  return report;
}

}  // namespace

std::unique_ptr<Plan> makeFilterPlan(DeviceEngine& engine, const FilterWorkload& workload, FilterVariant variant,
                                     const PrepareOptions& options, const Control& control) {
  return std::make_unique<FilterPlan>(engine, workload, variant, options, control);
}

}  // namespace sscope
