#include "gpu/filter/filter_plan.h"

#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "core/filter/workload/filter_shape.h"
#include "core/filter/workload/rounding_error.h"
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
    case MethodKind::Fused:
    case MethodKind::FusedBank: return makeFusedStep(context, method);  // alone
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
                          const PrepareOptions& options, bool transforms = true, bool banks = true) {
  const CostModel model(engine, workload.precision(), 0, options.ceilings);
  const auto all = deviceFilterMethods(engine.isProcessor, engine.fp64);
  if (transforms && banks) return chooseMethods(workload, all, model, request);
  std::vector<Method> methods(all.begin(), all.end());
  for (Method& method : methods) method.onlyAsked = method.onlyAsked || (!transforms && method.kind == MethodKind::Fft);
  if (!banks) std::erase_if(methods, [](const Method& method) { return method.kind == MethodKind::FusedBank; });
  return chooseMethods(workload, methods, model, request);
}

class FilterPlan final : public DevicePlan {
 public:
  // `ended`: the formulas that end these filters, or null.
  FilterPlan(DeviceEngine& engine, const FilterWorkload& workload, const EndedFilters* ended, MethodRequest request,
             const PrepareOptions& options, const Control& control)
      : DevicePlan(engine, ended != nullptr ? static_cast<const Workload&>(*ended) : workload, options),
        workload_(workload),
        request_(request) {
    if (ended != nullptr) ended_ = *ended;
    context_ = {&engine_, &workload_, launchStyle(properties(), workload.precision()), nullptr, &gathered_};
    compile([&] {
      choose(options);
      tiling_ = chooseTiling(context_, steps_, budget_);
      slotNames_ = {"input", "output",       "gathered rows",        "after the pass along z", "after the pass along y",
                    "sums",  "spare output", "another spare output", "tiles to be summed",     "before rounding"};
      slotNames_.resize(kFilterSlots, "output of another filter");
      slots_ = inSlabs() ? tiling_.slabs : tiling_.resident.empty() ? tiling_.bytes : tiling_.resident;
      kept_ = withoutOutputs(tiling_.bytes);
      keptResident_ = withoutOutputs(tiling_.resident);
      for (const auto& step : steps_) step->finish(control);
    });
    if (isInteger(ended_ ? ended_->outputType() : workload_.outputType()))
      for (OwnBuffer& counter : counters_) counter = device().allocate(sizeof(std::uint64_t));
    // Slabs are not for want of memory.
    report_.tiles = inSlabs() ? 1 : static_cast<int>(tiling_.tiles);
    report_.saturated.assign(counters_.size(), 0);
  }

  [[nodiscard]] std::string description() const override {
    std::string text;
    for (const FilterMethod& method : methods_)
      text += (text.empty() ? "" : ", ") + method.name + " " + std::string(toString(method.kind));
    if (ended_) text += "; with " + formulas();
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
    if (inSlabs() && inputs.resident.empty()) return tiling_.slabs;
    return resident(inputs) ? tiling_.resident : tiling_.bytes;
  }
  [[nodiscard]] const SlotBytes& keptSlots(const Inputs& inputs) const override {
    return resident(inputs) ? keptResident_ : kept_;
  }

 private:
  [[nodiscard]] std::string formulas() const {
    const std::size_t count = ended_->endings().size();
    return count == 1 ? "the formula of their sums" : std::to_string(count) + " formulas of their sums";
  }
  [[nodiscard]] bool inSlabs() const { return !tiling_.slabs.empty(); }
  void computeTiles(DeviceRun& run);
  void computeSlabs(DeviceRun& run);
  // A tile with one filter; `done`: the share of the run before, which grows.
  void computeStep(DeviceRun& run, std::size_t step, const FilterTile& tile, double& done);
  [[nodiscard]] bool resident(const Inputs& inputs) const {
    return (inputs.identity != 0 || !inputs.resident.empty()) && !tiling_.resident.empty();
  }
  [[nodiscard]] MethodChoice choiceFor(const FilterWorkload& workload, const PrepareOptions& options) const;
  // What steps compute, in the order of their first filters: groups as far as there is room, and all others alone.
  [[nodiscard]] std::vector<FilterGroup> stepsFor(const FilterWorkload& workload,
                                                  const std::vector<FilterMethod>& methods,
                                                  const std::vector<std::vector<std::size_t>>& together) const;
  // The outputs of a run that keeps them, but for the first, need no buffers of slots.
  [[nodiscard]] static SlotBytes withoutOutputs(SlotBytes bytes) {
    for (std::size_t o = 1; o < kMostTogether && !bytes.empty(); ++o) bytesAt(bytes, sscope::outputSlot(o)) = 0;
    return bytes;
  }
  // Methods, steps and report.
  void choose(const PrepareOptions& options);
  void take(const MethodChoice& choice);
  // What the report says of formulas that end the filters.
  void tellOfFormulas(const MethodChoice& choice, const PrepareOptions& options);
  [[nodiscard]] std::unique_ptr<FilterStep> stepOf(const FilterGroup& group) const;
  [[nodiscard]] std::vector<FilterMethod> methodsFor(const FilterGroup& group) const;

  FilterWorkload workload_;
  std::optional<EndedFilters> ended_;
  MethodRequest request_;
  FilterContext context_;
  std::vector<FilterMethod> methods_;
  std::vector<std::unique_ptr<FilterStep>> steps_;
  std::vector<FilterGroup> groups_;                 // of each step
  std::vector<std::vector<std::size_t>> together_;  // as was chosen
  std::string chosen_;                              // why
  Tiling tiling_;
  SlotBytes kept_, keptResident_;      // of runs that keep their outputs: as bytes and resident of the tiling
  std::vector<OwnBuffer> counters_;    // of each step; null where nothing can saturate
  std::vector<std::uint64_t> counts_;  // what they are set to, and what they hold in the end
  bool countersAreZero_ = false;       // as a run without saturation leaves them
  std::optional<GatheredBox> gathered_;
};

// What is fused or transformed has to find room on the device.
MethodChoice FilterPlan::choiceFor(const FilterWorkload& workload, const PrepareOptions& options) const {
  MethodChoice choice = filterChoice(engine_.info(), workload, request_, options);
  const auto& planned = workload.planned();
  const auto transformed = [&](std::size_t f) {
    return choice.methods[f] != MethodKind::Fft ||
           fftShape(workload.operators()[f].size(), {planned[0], planned[1], planned[2], workload.input().extent[3]},
                    workload.precision(), properties());
  };
  bool transforms = true;
  for (std::size_t f = 0; f < choice.methods.size(); ++f) transforms = transforms && transformed(f);
  if (!transforms) choice = filterChoice(engine_.info(), workload, request_, options, false);
  const auto fits = [&](const FilterMethod& method) {
    return method.kind != MethodKind::Fused || std::ranges::all_of(method.terms, [&](const SeparableTerm& term) {
             const FusedLines alone = fusedLines({{{term}}});
             return fusedShape(properties(), fusedNeeds(workload, alone, workload.precision())).has_value();
           });
  };
  if (request_) return choice;
  const auto groups = stepsFor(workload, methodsOf(workload, choice), choice.together);
  const auto whole = [&](const std::vector<std::size_t>& group) {
    return std::ranges::find(groups, FilterGroup{group, true}) != groups.end();
  };
  if (!std::ranges::all_of(choice.together, whole))
    choice = filterChoice(engine_.info(), workload, request_, options, transforms, false);
  if (std::ranges::all_of(methodsOf(workload, choice), fits)) return choice;
  choice = filterChoice(engine_.info(), workload, MethodKind::Separable, options, transforms);
  choice.why = "passes: the device has no room for tiles of all axes at once";
  return choice;
}

void FilterPlan::choose(const PrepareOptions& options) {
  MethodChoice choice = choiceFor(workload_, options);
  if (ended_) choice = joinedForEndings(*ended_, std::move(choice));
  take(choice);
  if (ended_) tellOfFormulas(choice, options);
  const auto ready = [](const auto& step) { return step->ready(); };
  if (!options.impatient || request_ || std::ranges::all_of(steps_, ready)) return;
  if (ended_)
    throw Error(ErrorKind::Unsupported, "the kernel that ends filters in formulas is still being compiled",
                "compute the formulas by themselves until it is there");
  context_.inPasses = true;
  take(filterChoice(engine_.info(), workload_, MethodKind::Separable, options, false));
  chosen_ = report_.why = "passes and sums, until faster kernels are compiled";
}

void FilterPlan::take(const MethodChoice& choice) {
  methods_ = methodsOf(workload_, choice);
  report_ = reportOf(workload_, choice, request_);
  report_.engine = engine_.info().id;
  chosen_ = choice.why;
  if (std::ranges::all_of(methods_, &FilterMethod::wide)) report_.precision = Precision::f64;
  const auto exact = [&](const FilterMethod& method) {
    return method.kind == MethodKind::Weighted ? roundsMeans(workload_) : roundsExactly(context_, method);
  };
  if (std::ranges::all_of(methods_, exact)) report_.precision = Precision::f32;
  steps_.clear();
  together_ = choice.together;
  groups_ = stepsFor(workload_, methods_, together_);
  const auto noRoom = [] {
    return Error(ErrorKind::Unsupported, "the device has no room for formulas in the kernels of their sums",
                 "compute them by themselves");
  };
  if (!ended_) {
    placeOutputs(groups_);
  } else if (!endedRestriction(*ended_, choice).empty() || !placeOutputs(groups_, *ended_)) {
    throw noRoom();
  }
  counters_.resize(ended_ ? ended_->outputs().size() : methods_.size());
  for (const FilterGroup& group : groups_) {
    if (!group.endings.empty()) {
      std::vector<std::vector<SeparableTerm>> terms;
      for (const std::size_t f : group.filters) terms.push_back(methods_[f].terms);
      const FusedEnding ending = fusedEnding(*ended_, group);
      if (!fusedTogether(context_, terms, &ending)) throw noRoom();
    }
    steps_.push_back(stepOf(group));
  }
}

std::unique_ptr<FilterStep> FilterPlan::stepOf(const FilterGroup& group) const {
  FilterContext context = context_;
  context.saturated = &counters_[group.outputs.front()];
  if (!group.together && group.endings.empty()) return makeStep(context, methods_[group.filters.front()]);
  std::vector<const OwnBuffer*> saturated;
  for (const std::size_t output : group.outputs) saturated.push_back(&counters_[output]);
  if (group.endings.empty()) return makeFusedBankStep(context, methodsFor(group), saturated);
  context.written = ended_->outputType();
  return makeFusedBankStep(context, methodsFor(group), saturated,
                           [this, group] { return fusedEnding(*ended_, group); });
}

void FilterPlan::tellOfFormulas(const MethodChoice& choice, const PrepareOptions& options) {
  const Work work = ended_->work();
  report_.operations = work.operations;
  report_.bytes = work.bytes;
  report_.executedOperations = choice.executed;
  for (const EndedFilters::Ending& ending : ended_->endings())
    report_.executedOperations += ending.formula.operations() * static_cast<double>(ended_->outputs()[0].elements());
  report_.predictedSeconds = predictFilter(engine_.info(), *ended_, request_, options);
  report_.why += (report_.why.empty() ? "" : "; ") + formulas() + " in the same kernel";
}

std::vector<FilterMethod> FilterPlan::methodsFor(const FilterGroup& group) const {
  std::vector<FilterMethod> methods;
  for (const std::size_t f : group.filters) methods.push_back(methods_[f]);
  return methods;
}

std::vector<FilterGroup> FilterPlan::stepsFor(const FilterWorkload& workload, const std::vector<FilterMethod>& methods,
                                              const std::vector<std::vector<std::size_t>>& together) const {
  FilterContext context = context_;
  context.workload = &workload;
  std::vector<FilterGroup> groups;
  std::vector<bool> placed(methods.size());
  for (std::size_t f = 0; f < methods.size(); ++f) {
    if (placed[f]) continue;
    FilterGroup group{{f}, false};
    placed[f] = true;
    const auto chosen = std::ranges::find_if(
        together, [&](const std::vector<std::size_t>& all) { return std::ranges::find(all, f) != all.end(); });
    if (chosen != together.end() && !roundsExactly(context, methods[f])) {
      std::vector<std::vector<SeparableTerm>> taken{methods[f].terms};
      group.together = fusedTogether(context, taken);
      for (const std::size_t other : *chosen) {
        if (!group.together || placed[other] || roundsExactly(context, methods[other])) continue;
        taken.push_back(methods[other].terms);
        if (fusedTogether(context, taken)) {
          group.filters.push_back(other);
          placed[other] = true;
        } else {
          taken.pop_back();
        }
      }
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

// Dense taps that can be factored may become some that cannot, and the other way round.
bool FilterPlan::adopt(const Workload& workload, const Control& control) {
  const auto* ended = workloadIf<EndedFilters>(workload);
  if ((ended != nullptr) != ended_.has_value() || (ended_ && !ended_->sameShape(*ended))) return false;
  const auto* next = ended != nullptr ? &ended->filters() : workloadIf<FilterWorkload>(workload);
  if (next == nullptr || !sameShape(workload_, *next)) return false;
  MethodChoice choice = choiceFor(*next, {});
  if (ended_) choice = joinedForEndings(*ended, std::move(choice));
  std::vector<FilterMethod> methods = methodsOf(*next, choice);
  if (choice.why != chosen_ || choice.together != together_) return false;
  for (std::size_t f = 0; f < methods.size(); ++f)
    if (methods[f].kind != methods_[f].kind || methods[f].wide != methods_[f].wide ||
        !sameShape(methods[f].terms, methods_[f].terms))
      return false;
  workload_ = *next;
  if (ended_) ended_ = *ended;
  methods_ = std::move(methods);
  for (std::size_t s = 0; s < steps_.size(); ++s)
    if (!steps_[s]->takeAllWeights(methodsFor(groups_[s]), control)) return false;
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
      const std::vector<std::size_t>& outputs = groups_[i].outputs;
      for (std::size_t o = 0; run.keeps() && o < outputs.size(); ++o) run.leaveIn(sscope::outputSlot(o), outputs[o]);
      computeStep(run, i, tile, done);
      for (std::size_t o = 0; !run.keeps() && o < outputs.size(); ++o)
        run.downloadSlices(sscope::outputSlot(o), outputs[o], tile.begin - region.begin[2], tile.size());
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
  std::vector<Slot> outputs;
  for (const FilterGroup& group : groups_)
    while (outputs.size() < group.outputs.size()) outputs.push_back(sscope::outputSlot(outputs.size()));
  SlabCopies copies(run, outputs, kSpares);
  copies.upload(needed);
  double done = 0;
  for (std::size_t s = 0; s < slabs.size(); ++s) {
    copies.waitForInput(s);
    gathered_.reset();
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const std::vector<std::size_t>& left = groups_[i].outputs;
      for (std::size_t o = 0; o < left.size(); ++o) copies.renewOutput(o);
      computeStep(run, i, slabs[s], done);
      for (std::size_t o = 0; o < left.size(); ++o)
        copies.download(o, left[o], slabs[s].begin - region.begin[2], slabs[s].size());
    }
  }
  copies.finish();
}

}  // namespace

std::unique_ptr<Plan> makeFilterPlan(DeviceEngine& engine, const FilterWorkload& workload, MethodRequest request,
                                     const PrepareOptions& options, const Control& control) {
  return std::make_unique<FilterPlan>(engine, workload, nullptr, request, options, control);
}

std::unique_ptr<Plan> makeFilterPlan(DeviceEngine& engine, const EndedFilters& workload, MethodRequest request,
                                     const PrepareOptions& options, const Control& control) {
  return std::make_unique<FilterPlan>(engine, workload.filters(), &workload, request, options, control);
}

double predictFilter(const EngineInfo& engine, const FilterWorkload& workload, MethodRequest request,
                     const PrepareOptions& options) {
  return filterChoice(engine, workload, request, options).seconds;
}

double predictFilter(const EngineInfo& engine, const EndedFilters& workload, MethodRequest request,
                     const PrepareOptions& options) {
  const FilterWorkload& filters = workload.filters();
  const CostModel model(engine, filters.precision(), 0, options.ceilings);
  return endedSeconds(workload, filterChoice(engine, filters, request, options),
                      deviceFilterMethods(engine.isProcessor, engine.fp64), model);
}

std::string endedFilterRestriction(const EngineInfo& engine, const EndedFilters& workload, MethodRequest request) {
  return endedRestriction(workload, filterChoice(engine, workload.filters(), request, {}));
}

}  // namespace sscope
