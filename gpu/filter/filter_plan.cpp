#include "gpu/filter/filter_plan.h"

#include <algorithm>
#include <array>

#include "core/filter/rounding_error.h"
#include "core/filter/workload/filter_shape.h"
#include "gpu/device/wait.h"
#include "gpu/filter/fft_shape.h"
#include "gpu/filter/fused_shape.h"
#include "gpu/filter/gathered_rows.h"
#include "gpu/filter/step.h"
#include "gpu/filter/tiling.h"
#include "gpu/run/device_plan.h"
#include "gpu/run/slab_copies.h"

namespace sscope {

std::unique_ptr<FilterStep> makeStep(const FilterContext& context, const FilterMethod& method) {
  if (roundsExactly(context, method)) return makeExactStep(context, method);
  switch (method.kind) {
    case MethodKind::Separable: return makeSeparableStep(context, method);
    case MethodKind::Fused: return makeFusedStep(context, method);
    case MethodKind::Dense:
    case MethodKind::DenseBaked: return makeDenseStep(context, method);
    case MethodKind::LowRank: return makeLowRankStep(context, method);
    case MethodKind::Fft: return makeFftStep(context, method);
    case MethodKind::Weighted: return makeRangeStep(context, method);
    case MethodKind::Counting: return makeEntropyStep(context, method);
    case MethodKind::Merging:
    case MethodKind::Selection:
    case MethodKind::Histogram:  // no method of devices
    case MethodKind::Bisection: break;
    case MethodKind::Lines: return makeLinesStep(context, method);
  }
  return makeRankStep(context, method);
}

namespace {

// `transforms`: whether they are chosen unasked.
MethodChoice filterChoice(const EngineInfo& engine, const FilterWorkload& workload, MethodRequest request,
                          const PrepareOptions& options, bool transforms = true) {
  const CostModel model(engine, workload.precision(), 0, options.ceilings);
  const auto all = deviceFilterMethods(engine.isProcessor, engine.fp64);
  if (transforms) return chooseMethods(workload, all, model, request);
  std::vector<Method> methods(all.begin(), all.end());
  for (Method& method : methods) method.onlyAsked = method.onlyAsked || method.kind == MethodKind::Fft;
  return chooseMethods(workload, methods, model, request);
}

class FilterPlan final : public DevicePlan {
 public:
  FilterPlan(DeviceEngine& engine, const FilterWorkload& workload, MethodRequest request, const PrepareOptions& options,
             const Control& control)
      : DevicePlan(engine, workload, options), workload_(workload), request_(request) {
    context_ = {&engine_, &workload_, launchStyle(properties(), workload.precision()), nullptr, &gathered_};
    compile([&] {
      choose(options);
      tiling_ = chooseTiling(context_, steps_, budget_);
      slots_ = inSlabs() ? tiling_.slabs : tiling_.resident.empty() ? tiling_.bytes : tiling_.resident;
      for (const auto& step : steps_) step->finish(control);
    });
    if (isInteger(workload_.outputType()))
      for (OwnBuffer& counter : counters_) counter = device().allocate(sizeof(std::uint64_t));
    // Slabs are not for want of memory.
    report_.tiles = inSlabs() ? 1 : static_cast<int>(tiling_.tiles);
    report_.saturated.assign(methods_.size(), 0);
  }

  [[nodiscard]] std::string description() const override {
    std::string text;
    for (const FilterMethod& method : methods_)
      text += (text.empty() ? "" : ", ") + method.name + " " + std::string(toString(method.kind));
    if (inSlabs()) return text + "; slabs of " + std::to_string(tiling_.slicesPerSlab) + " slices";
    return text + "; " + std::to_string(tiling_.tiles) + (tiling_.tiles == 1 ? " tile of " : " tiles of ") +
           std::to_string(tiling_.slicesPerTile) + " slices";
  }

  [[nodiscard]] bool overlapsCopies() const override { return inSlabs(); }
  bool adopt(const Workload& workload, const Control& control) override;

 protected:
  void compute(DeviceRun& run) override;
  [[nodiscard]] std::optional<Slot> outputSlot(const Inputs& /*inputs*/) const override {
    return tiling_.tiles == 1 ? std::optional(kOutput) : std::nullopt;
  }
  [[nodiscard]] std::optional<Slot> inputSlot(std::size_t /*input*/) const override {
    return tiling_.resident.empty() ? std::nullopt : std::optional(kInput);
  }
  [[nodiscard]] const SlotBytes& slotsFor(const Inputs& inputs) const override {
    return inSlabs() && inputs.resident.empty() ? tiling_.slabs : keptSlots(inputs);
  }
  [[nodiscard]] const SlotBytes& keptSlots(const Inputs& inputs) const override {
    return resident(inputs) ? tiling_.resident : tiling_.bytes;
  }

 private:
  [[nodiscard]] bool inSlabs() const { return !tiling_.slabs.empty(); }
  void computeTiles(DeviceRun& run);
  void computeSlabs(DeviceRun& run);
  // A tile with one filter; `done`: the share of the run before, which grows.
  void computeStep(DeviceRun& run, std::size_t step, const FilterTile& tile, double& done);
  [[nodiscard]] bool resident(const Inputs& inputs) const {
    return (inputs.identity != 0 || !inputs.resident.empty()) && !tiling_.resident.empty();
  }
  [[nodiscard]] MethodChoice choiceFor(const FilterWorkload& workload, const PrepareOptions& options) const;
  // Methods, steps and report.
  void choose(const PrepareOptions& options);
  void take(const MethodChoice& choice);

  FilterWorkload workload_;
  MethodRequest request_;
  FilterContext context_;
  std::vector<FilterMethod> methods_;
  std::vector<std::unique_ptr<FilterStep>> steps_;
  Tiling tiling_;
  std::vector<OwnBuffer> counters_;    // of each step; null where nothing can saturate
  std::vector<std::uint64_t> counts_;  // what they are set to, and what they hold in the end
  bool countersAreZero_ = false;       // as a run without saturation leaves them
  std::optional<GatheredBox> gathered_;
};

// What is fused or transformed has to find room on the device.
MethodChoice FilterPlan::choiceFor(const FilterWorkload& workload, const PrepareOptions& options) const {
  MethodChoice choice = filterChoice(engine_.info(), workload, request_, options);
  const Box& region = workload.region();
  const auto transformed = [&](std::size_t f) {
    return choice.methods[f] != MethodKind::Fft ||
           fftShape(workload.operators()[f].size(),
                    {region.size(0), region.size(1), region.size(2), workload.input().extent[3]}, workload.precision(),
                    properties());
  };
  bool transforms = true;
  for (std::size_t f = 0; f < choice.methods.size(); ++f) transforms = transforms && transformed(f);
  if (!transforms) choice = filterChoice(engine_.info(), workload, request_, options, false);
  const auto fits = [&](const FilterMethod& method) {
    return method.kind != MethodKind::Fused || std::ranges::all_of(method.terms, [&](const SeparableTerm& term) {
             return fusedShape(properties(), fusedNeeds(workload, term, workload.precision())).has_value();
           });
  };
  if (request_ || std::ranges::all_of(methodsOf(workload, choice), fits)) return choice;
  choice = filterChoice(engine_.info(), workload, MethodKind::Separable, options, transforms);
  choice.why = "passes: the device has no room for tiles of all axes at once";
  return choice;
}

void FilterPlan::choose(const PrepareOptions& options) {
  take(choiceFor(workload_, options));
  const auto ready = [](const auto& step) { return step->ready(); };
  if (!options.impatient || request_ || std::ranges::all_of(steps_, ready)) return;
  context_.inPasses = true;
  take(filterChoice(engine_.info(), workload_, MethodKind::Separable, options, false));
  report_.why = "passes and sums, until faster kernels are compiled";
}

void FilterPlan::take(const MethodChoice& choice) {
  methods_ = methodsOf(workload_, choice);
  report_ = reportOf(workload_, choice, request_);
  report_.engine = engine_.info().id;
  if (std::ranges::all_of(methods_, &FilterMethod::wide)) report_.precision = Precision::f64;
  const auto exact = [&](const FilterMethod& method) {
    return method.kind == MethodKind::Weighted ? roundsMeans(workload_) : roundsExactly(context_, method);
  };
  if (std::ranges::all_of(methods_, exact)) report_.precision = Precision::f32;
  steps_.clear();
  counters_.resize(methods_.size());
  for (std::size_t i = 0; i < methods_.size(); ++i) {
    FilterContext context = context_;
    context.saturated = &counters_[i];
    steps_.push_back(makeStep(context, methods_[i]));
  }
}

// Dense taps that can be factored may become some that cannot, and the other way round.
bool FilterPlan::adopt(const Workload& workload, const Control& control) {
  const auto* next = dynamic_cast<const FilterWorkload*>(&workload);
  if (next == nullptr || !sameShape(workload_, *next)) return false;
  const MethodChoice choice = choiceFor(*next, {});
  std::vector<FilterMethod> methods = methodsOf(*next, choice);
  if (choice.why != report_.why) return false;
  for (std::size_t f = 0; f < methods.size(); ++f)
    if (methods[f].kind != methods_[f].kind || methods[f].wide != methods_[f].wide ||
        !sameShape(methods[f].terms, methods_[f].terms))
      return false;
  workload_ = *next;
  methods_ = std::move(methods);
  for (std::size_t f = 0; f < methods_.size(); ++f)
    if (!steps_[f]->takeWeights(methods_[f], control)) return false;
  return true;
}

void FilterPlan::compute(DeviceRun& run) {
  counts_.assign(counters_.size(), 0);
  // One wait for all of them, which ends before anybody cancels.
  const auto forCounters = [&](auto&& copy) {
    std::vector<std::unique_ptr<DeviceEvent>> events;
    for (std::size_t i = 0; i < counters_.size(); ++i)
      if (counters_[i]) events.push_back(copy(*counters_[i], std::as_writable_bytes(std::span(&counts_[i], 1))));
    for (const auto& event : events) waitFor(*event, {});
    run.control.check();
  };
  if (!countersAreZero_)
    forCounters([&](const DeviceBuffer& counter, auto bytes) { return device().write(counter, 0, bytes); });
  countersAreZero_ = false;
  for (const auto& step : steps_) step->begin();
  if (inSlabs() && !run.keeps() && !run.lent(0)) {
    computeSlabs(run);
  } else {
    computeTiles(run);
  }
  forCounters([&](const DeviceBuffer& counter, auto bytes) { return device().read(counter, 0, bytes); });
  countersAreZero_ = std::ranges::all_of(counts_, [](std::uint64_t count) { return count == 0; });
  for (std::size_t i = 0; i < counters_.size(); ++i) run.report.saturated[i] = static_cast<std::int64_t>(counts_[i]);
  for (const auto& step : steps_) step->tell(run.report);
}

void FilterPlan::computeStep(DeviceRun& run, std::size_t step, const FilterTile& tile, double& done) {
  double all = 0;
  for (const auto& one : steps_) all += one->executedTaps() + 4;
  const double share = (steps_[step]->executedTaps() + 4) / all * static_cast<double>(tile.size()) /
                       static_cast<double>(workload_.region().size(2));
  steps_[step]->compute(run, tile, run.part(done, done + share, "filtering"));
  done += share;
}

void FilterPlan::computeTiles(DeviceRun& run) {
  const Box& region = workload_.region();
  double done = 0;
  for (std::int64_t z = region.begin[2]; z < region.end[2]; z += tiling_.slicesPerTile) {
    const FilterTile tile = tileAt(context_, steps_, z, tiling_.slicesPerTile, resident(run.inputs));
    run.upload(tile.slices);
    gathered_.reset();
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (run.keeps()) run.leaveIn(kOutput, i);
      computeStep(run, i, tile, done);
      if (!run.keeps()) run.downloadSlices(kOutput, i, tile.begin - region.begin[2], tile.size());
    }
  }
}

// Intermediate results and tables need no care: kernels run one after the other, and only copies beside them.
void FilterPlan::computeSlabs(DeviceRun& run) {
  const Box& region = workload_.region();
  std::vector<FilterTile> slabs;
  std::vector<std::vector<bool>> needed;
  for (std::int64_t z = region.begin[2]; z < region.end[2]; z += tiling_.slicesPerSlab) {
    slabs.push_back(tileAt(context_, steps_, z, tiling_.slicesPerSlab, true));
    needed.emplace_back(static_cast<std::size_t>(context_.input().extent[2]));
    for (const auto& step : steps_) step->needSlices({slabs.back().begin, slabs.back().end}, needed.back());
  }
  constexpr std::array kSpares{kSpare, kOtherSpare};
  SlabCopies copies(run, kOutput, kSpares);
  copies.upload(needed);
  double done = 0;
  for (std::size_t s = 0; s < slabs.size(); ++s) {
    copies.waitForInput(s);
    gathered_.reset();
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      copies.renewOutput();
      computeStep(run, i, slabs[s], done);
      copies.download(i, slabs[s].begin - region.begin[2], slabs[s].size());
    }
  }
  copies.finish();
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
