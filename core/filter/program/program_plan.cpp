#include "core/filter/program/program_plan.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "core/base/ability.h"
#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/engine/plan_arrays.h"
#include "core/filter/program/program_slots.h"
#include "core/filter/program/program_stages.h"
#include "core/filter/program/step_norms.h"
#include "core/parts/partition.h"
#include "core/volume/volume_pool.h"

namespace sscope {

namespace {

// A part of an array that covers `covered`.
template <class View>
View partOf(const View& view, const Box& covered, const Box& box) {
  Box inside = box;
  for (std::size_t a = 0; a < 3; ++a) {
    inside.begin[a] -= covered.begin[a];
    inside.end[a] -= covered.begin[a];
  }
  return viewOfBox(view, inside);
}

// The regions of a run along the axis that memory has slowest. Rows that others read around are computed once more at
// the borders of slabs, which therefore are many times as thick as what is read there.
std::vector<Box> slabsOf(const ProgramWorkload& workload, std::int64_t slabBytes) {
  constexpr std::int64_t kThick = 6;
  const Box& region = workload.region();
  const ProgramSteps whole = stepsOf(workload, region);
  const std::size_t axis = region.size(2) > 1 ? 2 : 1;
  const std::int64_t count = region.end[axis] - region.begin[axis];
  const std::int64_t bytes = slotsOf(workload, whole).total();
  std::int64_t around = 0;
  // Of a slab in the middle, as if the volume had no end.
  const std::int64_t far = std::int64_t{1} << 40;
  Box plane = region;
  plane.begin[axis] = far;
  plane.end[axis] = far + 1;
  auto extent = workload.extent();
  extent[axis] = 2 * far;
  for (const Box& box : neededBoxes(workload.computed(), plane, extent, workload.boundary()).nodes)
    if (!isEmpty(box)) around = std::max(around, box.end[axis] - box.begin[axis] - 1);
  const bool apart = bytes > slabBytes && (workload.boundary() != Boundary::wrap || around == 0);
  const std::int64_t thick = std::max(slabBytes * count / std::max<std::int64_t>(bytes, 1), kThick * around);
  const std::int64_t parts = apart ? std::max<std::int64_t>(1, count / std::max<std::int64_t>(thick, 1)) : 1;
  std::vector<Box> slabs;
  for (const Range& part : reach::evenly(count, parts)) {
    Box slab = region;
    slab.begin[axis] = region.begin[axis] + part.begin;
    slab.end[axis] = region.begin[axis] + part.end;
    slabs.push_back(slab);
  }
  return slabs;
}

// Everything that a stage's plan depends on, but for weights. Of formulas that read neighbors or positions the place in
// the volume is part of it.
std::vector<std::int64_t> keyOf(const ProgramWorkload& workload, const ProgramStage& stage,
                                const std::vector<ProgramArray>& inputs, const ProgramArray& output) {
  std::vector<std::int64_t> key;
  for (const auto* nodes : {&stage.nodes, &stage.endings, &stage.kept}) {
    for (const std::size_t node : *nodes) key.push_back(static_cast<std::int64_t>(node));
    key.push_back(-1);
  }
  key.push_back(stage.copies ? static_cast<std::int64_t>(*stage.copies) : -1);
  const Formula* formula = workload.computed().nodes.at(stage.nodes.front()).op.formula();
  const bool placed = !stage.copies && formula != nullptr && !formula->pointwise();
  const auto add = [&](const ProgramArray& array) {
    key.push_back(static_cast<std::int64_t>(array.spec.type));
    key.insert(key.end(), array.spec.extent.begin(), array.spec.extent.end());
    for (std::size_t a = 0; a < 3; ++a) key.push_back(array.box.begin[a] - (placed ? 0 : output.box.begin[a]));
  };
  for (const ProgramArray& input : inputs) add(input);
  add(output);
  return key;
}

class ProgramPlan final : public Plan, public StepTeller {
 public:
  [[nodiscard]] void* findAbility(const std::type_info& ability) override {
    return abilityAmong<StepTeller>(ability, this);
  }

  ProgramPlan(const EngineInfo& engine, const ProgramWorkload& workload, const PrepareStage& prepare,
              double predictedSeconds, std::int64_t slabBytes, EndTogether together)
      : engine_(engine),
        workload_(workload),
        predictedSeconds_(predictedSeconds),
        slabBytes_(slabBytes),
        together_(std::move(together)) {
    describe();
    try {
      prepareStages(prepare);
    } catch (const Error& error) {
      if (!endsSome() || error.kind() != ErrorKind::Unsupported) throw;
      together_ = {};
      plans_.clear();
      describe();
      prepareStages(prepare);
    }
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override;
  [[nodiscard]] ResidentRun runResident(const Inputs& inputs, std::span<const ArraySpec> specs, VolumePool& memory,
                                        const Control& control) override;
  [[nodiscard]] bool adopt(const Workload& workload, const Control& control) override;
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] std::vector<PlanBuffer> buffers() const override;
  // Stages begin where the surroundings of a part do.
  [[nodiscard]] std::int64_t grain() const override {
    return std::ranges::all_of(plans_, [](const auto& one) { return one.second->grain() == 1; }) ? 1 : 0;
  }
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] const std::vector<StepNorms>& lastSteps() const override { return lastSteps_; }
  void askLastSteps(bool asked) override { askedForSteps_ = asked; }

 private:
  using Key = std::vector<std::int64_t>;
  struct StagePlace {
    Key key;
    std::unique_ptr<Workload> workload;
    std::vector<ProgramArray> inputs;
  };
  struct Slab {
    ProgramSteps steps;
    ProgramSlots slots;
    std::vector<StagePlace> stages;  // as those of the steps
  };

  void describe();
  void prepareStages(const PrepareStage& prepare) {
    for (const Slab& slab : slabs_)
      for (const StagePlace& place : slab.stages)
        if (!plans_.contains(place.key)) plans_[place.key] = prepare(*place.workload);
  }
  // Whether some formula is a part of the stage before it.
  [[nodiscard]] bool endsSome() const {
    return std::ranges::any_of(slabs_.front().steps.stages,
                               [](const ProgramStage& stage) { return !stage.endings.empty(); });
  }
  // The node, or kSource, from which the last step of an output began; nothing where there are no steps, or no change
  // can be told.
  [[nodiscard]] std::optional<std::size_t> stepBefore(std::size_t output) const;
  // What a stage reads. On the processor only that part of the data, so that slabs have plans in common; a device keeps
  // the whole, unless it computes a part.
  [[nodiscard]] ProgramArray inputOf(const ProgramSteps& steps, const ProgramStage& stage, std::size_t input) const;
  [[nodiscard]] RunReport started();
  void add(RunReport& sum, const ProgramStage& stage, const ProgramSteps& steps, const RunReport& part) const;
  void runSlab(const Slab& slab, const Inputs& inputs, std::span<const ArrayView> outputs, RunReport& report,
               const Control& control);
  [[nodiscard]] Control shareOf(const Control& control, std::size_t slab, std::size_t stage) const;

  EngineInfo engine_;
  ProgramWorkload workload_;
  double predictedSeconds_;
  std::int64_t slabBytes_;
  EndTogether together_;
  std::vector<StepNorms> lastSteps_;
  bool askedForSteps_ = false;
  std::vector<Slab> slabs_;
  std::map<Key, std::unique_ptr<Plan>> plans_;
  // Per slot, of the largest slab.
  [[nodiscard]] std::vector<std::int64_t> slotBytes() const;
  std::vector<Volume> between_;  // per slot
};

ProgramArray ProgramPlan::inputOf(const ProgramSteps& steps, const ProgramStage& stage, std::size_t input) const {
  ProgramArray array = arrayOf(workload_, steps, input);
  const bool whole = workload_.region() == workload_.planned();
  if (input != kSource || (engine_.isDevice() && whole)) return array;
  Box part = steps.boxes.nodes.at(stage.nodes.front());
  for (const std::size_t node : stage.nodes) {  // endings read the place itself
    const ProgramNode& reader = workload_.computed().nodes.at(node);
    for (std::size_t i = 0; i < reader.inputs.size(); ++i) {
      if (reader.inputs[i] != kSource) continue;
      const Box more = neededInput(reader.op, i, steps.boxes.nodes.at(node), workload_.extent(), workload_.boundary());
      for (std::size_t a = 0; a < 3; ++a) {
        part.begin[a] = std::min(part.begin[a], more.begin[a]);
        part.end[a] = std::max(part.end[a], more.end[a]);
      }
    }
  }
  array.box = part;
  array.spec.extent = {part.size(0), part.size(1), part.size(2), array.spec.extent[3]};
  return array;
}

void ProgramPlan::describe() {
  slabs_.clear();
  const std::vector<Box> regions =
      engine_.isDevice() ? std::vector{workload_.region()} : slabsOf(workload_, slabBytes_);
  for (const Box& region : regions) {
    Slab slab;
    slab.steps = withEndings(workload_, stepsOf(workload_, region), together_);
    slab.slots = slotsOf(workload_, slab.steps);
    for (const ProgramStage& stage : slab.steps.stages) {
      StagePlace place;
      for (const std::size_t input : stage.inputs) place.inputs.push_back(inputOf(slab.steps, stage, input));
      place.workload = stageWorkload(workload_, slab.steps, stage, place.inputs);
      ProgramArray output = arrayOf(workload_, slab.steps, stage.nodes.front());
      if (stage.copies)
        output = {{workload_.outputType(), {region.size(0), region.size(1), region.size(2), output.spec.extent[3]}},
                  region};
      place.key = keyOf(workload_, stage, place.inputs, output);
      slab.stages.push_back(std::move(place));
    }
    slabs_.push_back(std::move(slab));
  }
}

RunReport ProgramPlan::started() {
  lastSteps_.assign(workload_.computed().outputs.size(), {});
  RunReport report;
  report.engine = engine_.id;
  const Work work = workload_.work();
  report.operations = work.operations;
  report.bytes = work.bytes;
  report.predictedSeconds = predictedSeconds_;
  report.saturated.assign(workload_.computed().outputs.size(), 0);
  return report;
}

void ProgramPlan::add(RunReport& sum, const ProgramStage& stage, const ProgramSteps& steps,
                      const RunReport& part) const {
  sum.phases += part.phases;
  sum.threads = std::max(sum.threads, part.threads);
  sum.emptying += part.emptying;
  sum.executedOperations += part.executedOperations > 0 ? part.executedOperations : part.operations;
  sum.tiles = std::max(sum.tiles, part.tiles);
  sum.writtenOut = sum.writtenOut || part.writtenOut;
  if (!part.variant.empty() && sum.variant.find(part.variant) == std::string::npos)
    sum.variant += (sum.variant.empty() ? "" : "+") + part.variant;
  if (sum.why.empty() || !stage.endings.empty()) sum.why = part.why;
  const std::vector<std::size_t> made = stage.made();
  for (std::size_t i = 0; i < part.saturated.size() && i < made.size(); ++i) {
    const std::optional<std::size_t> output = stage.copies ? stage.copies : steps.result.at(made[i]);
    if (output) sum.saturated.at(*output) += part.saturated[i];
  }
}

Control ProgramPlan::shareOf(const Control& control, std::size_t slab, std::size_t stage) const {
  const auto stages = static_cast<double>(slabs_[slab].stages.size());
  const auto all = static_cast<double>(slabs_.size());
  const double begin = (static_cast<double>(slab) + static_cast<double>(stage) / stages) / all;
  return control.part(begin, begin + 1 / (stages * all));
}

void ProgramPlan::runSlab(const Slab& slab, const Inputs& inputs, std::span<const ArrayView> outputs, RunReport& report,
                          const Control& control) {
  const ProgramSteps& steps = slab.steps;
  const auto outputView = [&](std::size_t output) { return partOf(outputs[output], workload_.region(), steps.region); };
  const auto viewOf = [&](std::size_t node) -> ArrayView {
    if (steps.result.at(node)) return outputView(*steps.result[node]);
    return denseView(arrayOf(workload_, steps, node).spec, between_.at(slab.slots.of.at(node).value()).data());
  };
  const auto number = static_cast<std::size_t>(&slab - slabs_.data());
  for (std::size_t s = 0; s < slab.stages.size(); ++s) {
    const ProgramStage& stage = steps.stages[s];
    const StagePlace& place = slab.stages[s];
    std::vector<ConstArrayView> read;
    for (std::size_t i = 0; i < stage.inputs.size(); ++i)
      read.push_back(stage.inputs[i] == kSource
                         ? partOf(inputs.arrays[0], Box{{0, 0, 0}, workload_.extent()}, place.inputs[i].box)
                         : ConstArrayView(viewOf(stage.inputs[i])));
    std::vector<ArrayView> written;
    if (stage.copies) {
      written.push_back(outputView(*stage.copies));
    } else {
      for (const std::size_t node : stage.made()) written.push_back(viewOf(node));
    }
    add(report, stage, steps, plans_.at(place.key)->run({read, 0}, written, shareOf(control, number, s)));
  }
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const std::optional<std::size_t> before = stepBefore(o);
    if (!before) continue;
    const bool source = *before == kSource;
    const Box whole{{0, 0, 0}, workload_.extent()};
    const Box& covered = source ? whole : steps.result.at(*before) ? steps.region : steps.boxes.nodes[*before];
    const ConstArrayView from = source ? inputs.arrays[0] : ConstArrayView(viewOf(*before));
    lastSteps_[o] += stepNorms(partOf(from, covered, steps.region), outputView(o), control);
  }
}

std::optional<std::size_t> ProgramPlan::stepBefore(std::size_t output) const {
  const ProgramNode& node = workload_.computed().nodes.at(workload_.computed().outputs.at(output).node);
  // Rounding to integers would be most of a small change.
  if (!node.stepOf || isInteger(workload_.outputType())) return std::nullopt;
  return node.stepOf;
}

RunReport ProgramPlan::run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) {
  const Stopwatch watch;
  requireArrays(workload_, inputs, outputs);
  if (engine_.isDevice()) {
    VolumePool none;
    ResidentRun ran = runResident(inputs, workload_.outputs(), none, control);
    const Stopwatch copying;
    for (std::size_t o = 0; o < outputs.size(); ++o) ran.outputs[o]->copyTo(outputs[o], {control.stop, {}});
    ran.report.phases.download += copying.seconds();
    ran.report.phases.total = watch.seconds();
    return ran.report;
  }
  RunReport report = started();
  const std::vector<std::int64_t> bytes = slotBytes();
  between_.resize(bytes.size());
  for (std::size_t slot = 0; slot < bytes.size(); ++slot)
    if (between_[slot].empty() || between_[slot].bytes() < bytes[slot])
      between_[slot] = Volume({bytes[slot], 1, 1, 1}, ElementType::u8);
  for (const Slab& slab : slabs_) runSlab(slab, inputs, outputs, report, control);
  report.phases.total = watch.seconds();
  return report;
}

ResidentRun ProgramPlan::runResident(const Inputs& inputs, std::span<const ArraySpec> specs, VolumePool& memory,
                                     const Control& control) {
  if (!engine_.isDevice()) return Plan::runResident(inputs, specs, memory, control);
  const Stopwatch watch;
  const Slab& slab = slabs_.front();
  const std::vector<ProgramStage>& stages = slab.steps.stages;
  ResidentRun ran{started(), {}};
  ran.outputs.resize(specs.size());
  std::vector<std::shared_ptr<ResidentArray>> left(workload_.computed().nodes.size());
  std::vector<std::optional<std::size_t>> before(specs.size());
  for (std::size_t o = 0; askedForSteps_ && o < specs.size(); ++o) before[o] = stepBefore(o);
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const ProgramStage& stage = stages[s];
    const StagePlace& place = slab.stages[s];
    const Control share = shareOf(control, 0, s);
    Plan& plan = *plans_.at(place.key);
    std::vector<ConstArrayView> read;
    std::vector<std::shared_ptr<ResidentArray>> resident(stage.inputs.size());
    std::vector<std::shared_ptr<const Volume>> held;
    for (std::size_t i = 0; i < stage.inputs.size(); ++i) {
      const std::size_t input = stage.inputs[i];
      if (input == kSource) {
        read.push_back(partOf(inputs.arrays[0], Box{{0, 0, 0}, workload_.extent()}, place.inputs[i].box));
      } else if (plan.readsResident()) {
        resident[i] = left.at(input);
        read.push_back(denseView(resident[i]->spec(), static_cast<const std::byte*>(nullptr)));
      } else {
        held.push_back(left.at(input)->host(share));
        read.push_back(held.back()->view());
      }
    }
    const bool some = std::ranges::any_of(resident, [](const auto& array) { return array != nullptr; });
    // The first input is the one that a device keeps. Parts of the data have no identity of their own.
    const bool source = stage.inputs.empty() || (stage.inputs.front() == kSource &&
                                                 place.inputs.front().box == Box{{0, 0, 0}, workload_.extent()});
    const std::vector<ArraySpec> arrays = place.workload->outputs();
    const std::vector<std::size_t> made = stage.made();
    Inputs given{read, source ? inputs.identity : 0, {}};
    if (some) given.resident = resident;
    ResidentRun part = plan.runResident(given, arrays, memory, share);
    add(ran.report, stage, slab.steps, part.report);
    for (std::size_t i = 0; i < part.outputs.size(); ++i) {
      const std::optional<std::size_t> output = stage.copies ? stage.copies : slab.steps.result.at(made[i]);
      if (output) ran.outputs.at(*output) = part.outputs[i];
      if (!stage.copies) left[made[i]] = std::move(part.outputs[i]);
    }
    // What no later stage reads makes room.
    for (std::size_t n = 0; n < left.size(); ++n)
      if (std::ranges::find(before, std::optional(n)) == before.end() &&
          std::none_of(
              stages.begin() + static_cast<std::ptrdiff_t>(s) + 1, stages.end(),
              [&](const ProgramStage& later) { return std::ranges::find(later.inputs, n) != later.inputs.end(); }))
        left[n].reset();
  }
  for (std::size_t o = 0; o < specs.size(); ++o) {
    if (!before[o]) continue;
    const Control quiet{control.stop, {}};
    const Box& region = slab.steps.region;
    const std::size_t node = *before[o];
    const auto after = ran.outputs[o]->host(quiet);
    if (node == kSource) {
      const ConstArrayView from = partOf(inputs.arrays[0], Box{{0, 0, 0}, workload_.extent()}, region);
      lastSteps_[o] = stepNorms(from, after->view(), control);
      continue;
    }
    const auto host = left.at(node)->host(quiet);
    const Box& covered = slab.steps.result.at(node) ? region : slab.steps.boxes.nodes[node];
    lastSteps_[o] = stepNorms(partOf(host->view(), covered, region), after->view(), control);
  }
  ran.report.phases.total = watch.seconds();
  return ran;
}

bool ProgramPlan::adopt(const Workload& workload, const Control& control) {
  const auto* next = workloadIf<ProgramWorkload>(workload);
  if (next == nullptr || !(next->input() == workload_.input()) || next->boundary() != workload_.boundary() ||
      next->outputType() != workload_.outputType() || !(next->region() == workload_.region()) ||
      next->computed().nodes.size() != workload_.computed().nodes.size() ||
      next->computed().outputs.size() != workload_.computed().outputs.size())
    return false;
  const auto keysOf = [&] {
    std::vector<std::vector<Key>> keys;
    for (const Slab& slab : slabs_) {
      keys.emplace_back();
      for (const StagePlace& place : slab.stages) keys.back().push_back(place.key);
    }
    return keys;
  };
  for (std::size_t n = 0; n < workload_.computed().nodes.size(); ++n)
    if (next->computed().nodes[n].inputs != workload_.computed().nodes[n].inputs) return false;
  for (std::size_t o = 0; o < workload_.computed().outputs.size(); ++o)
    if (next->computed().outputs[o].node != workload_.computed().outputs[o].node) return false;
  const auto keys = keysOf();
  workload_ = *next;
  describe();
  if (keysOf() != keys) return false;
  std::map<Key, bool> adopted;
  for (const Slab& slab : slabs_)
    for (const StagePlace& place : slab.stages)
      if (!std::exchange(adopted[place.key], true) && !plans_.at(place.key)->adopt(*place.workload, control))
        return false;
  return true;
}

std::vector<std::int64_t> ProgramPlan::slotBytes() const {
  std::vector<std::int64_t> bytes;
  for (const Slab& slab : slabs_) {
    bytes.resize(std::max(bytes.size(), slab.slots.bytes.size()));
    for (std::size_t slot = 0; slot < slab.slots.bytes.size(); ++slot)
      bytes[slot] = std::max(bytes[slot], slab.slots.bytes[slot]);
  }
  return bytes;
}

std::int64_t ProgramPlan::scratchBytes() const {
  std::int64_t bytes = 0;
  for (const auto& [key, plan] : plans_) bytes += plan->scratchBytes();
  for (const std::int64_t one : slotBytes()) bytes += one;
  return bytes;
}

// Stages of a device run in the same buffers.
std::vector<PlanBuffer> ProgramPlan::buffers() const {
  std::vector<PlanBuffer> all;
  for (const auto& [key, plan] : plans_)
    for (const PlanBuffer& one : plan->buffers()) {
      const auto known = std::ranges::find_if(
          all, [&](const PlanBuffer& other) { return other.what == one.what && other.onDevice == one.onDevice; });
      if (known == all.end())
        all.push_back(one);
      else
        known->bytes = one.onDevice ? std::max(known->bytes, one.bytes) : known->bytes + one.bytes;
    }
  std::int64_t between = 0;
  for (const std::int64_t one : slotBytes()) between += one;
  if (between > 0) all.push_back({"between stages", between, engine_.isDevice() && !engine_.isProcessor});
  return all;
}

std::string ProgramPlan::description() const {
  const std::size_t stages = slabs_.front().stages.size();
  std::string text = std::to_string(stages) + (stages == 1 ? " stage" : " stages");
  if (slabs_.size() > 1) text += " in " + std::to_string(slabs_.size()) + " slabs";
  for (const StagePlace& place : slabs_.front().stages) text += "; " + plans_.at(place.key)->description();
  return text;
}

}  // namespace

std::unique_ptr<Plan> makeProgramPlan(const EngineInfo& engine, const ProgramWorkload& workload,
                                      const PrepareStage& prepare, double predictedSeconds, std::int64_t slabBytes,
                                      const EndTogether& together) {
  return std::make_unique<ProgramPlan>(engine, workload, prepare, predictedSeconds, slabBytes, together);
}

}  // namespace sscope
