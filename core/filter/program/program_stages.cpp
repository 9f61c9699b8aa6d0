#include "core/filter/program/program_stages.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/filter/formula/workload/formula_workload.h"

namespace sscope {

namespace {

Box relativeTo(const Box& box, const Box& origin) {
  Box shifted = box;
  for (std::size_t a = 0; a < 3; ++a) {
    shifted.begin[a] -= origin.begin[a];
    shifted.end[a] -= origin.begin[a];
  }
  return shifted;
}

std::array<std::int64_t, 3> extentOf(const Box& box) { return {box.size(0), box.size(1), box.size(2)}; }

Box hull(const Box& a, const Box& b) {
  Box both = a;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    both.begin[axis] = std::min(a.begin[axis], b.begin[axis]);
    both.end[axis] = std::max(a.end[axis], b.end[axis]);
  }
  return both;
}

// Values that are only converted use a single tap of 1.
Operator unchanged() { return {"convert", Stencil()}; }

// The first output of a node whose box is the region is written directly to its place if no other node reads it in
// another type.
void placeResults(const ProgramWorkload& workload, ProgramSteps& steps) {
  const FilterProgram& program = workload.computed();
  steps.result.assign(program.nodes.size(), std::nullopt);
  for (std::size_t n = 0; n < program.nodes.size(); ++n) steps.types.push_back(workload.valueType(n));
  for (std::size_t o = 0; o < program.outputs.size(); ++o) {
    const std::size_t node = program.outputs[o].node;
    const bool read = std::ranges::any_of(program.nodes, [&](const ProgramNode& reader) {
      return std::ranges::find(reader.inputs, node) != reader.inputs.end();
    });
    const bool fits =
        steps.boxes.nodes[node] == steps.region && (!read || workload.valueType(node) == workload.outputType());
    if (fits && !steps.result[node]) {
      steps.result[node] = o;
      steps.types[node] = workload.outputType();
    } else {
      steps.stages.push_back({{node}, {node}, o});
    }
  }
}

// The boxes for the whole for which the workload was planned.
ProgramSteps wholeSteps(const ProgramWorkload& workload) {
  const FilterProgram& program = workload.computed();
  ProgramSteps steps;
  steps.region = workload.planned();
  steps.boxes = neededBoxes(program, steps.region, workload.extent(), workload.boundary());
  steps.planned = steps.boxes.nodes;
  placeResults(workload, steps);
  const std::vector<ProgramStage> copies = std::exchange(steps.stages, {});
  for (std::size_t n = 0; n < program.nodes.size(); ++n) {
    if (isEmpty(steps.boxes.nodes[n])) continue;
    const auto together = std::ranges::find_if(steps.stages, [&](const ProgramStage& stage) {
      const std::size_t other = stage.nodes.front();
      return program.nodes[n].op.formula() == nullptr && program.nodes[other].op.formula() == nullptr &&
             stage.inputs == program.nodes[n].inputs && steps.boxes.nodes[other] == steps.boxes.nodes[n] &&
             steps.types[other] == steps.types[n];
    });
    if (together != steps.stages.end()) {
      together->nodes.push_back(n);
    } else {
      steps.stages.push_back({{n}, program.nodes[n].inputs, {}});
    }
  }
  steps.stages.insert(steps.stages.end(), copies.begin(), copies.end());
  return steps;
}

// Nodes that are computed together have one box, so they need larger inputs.
ProgramBoxes boxesTogether(const ProgramWorkload& workload, const Box& region,
                           const std::vector<ProgramStage>& stages) {
  ProgramBoxes boxes = neededBoxes(workload.computed(), region, workload.extent(), workload.boundary());
  for (;;) {
    std::vector<Box> wanted = boxes.nodes;
    for (const ProgramStage& stage : stages) {
      if (stage.copies) continue;
      Box all = wanted[stage.nodes.front()];
      for (const std::size_t node : stage.nodes) all = hull(all, wanted[node]);
      for (const std::size_t node : stage.nodes) wanted[node] = all;
    }
    if (wanted == boxes.nodes) return boxes;
    boxes = neededBoxes(workload.computed(), region, workload.extent(), workload.boundary(), wanted);
  }
}

}  // namespace

ProgramArray arrayOf(const ProgramWorkload& workload, const ProgramSteps& steps, std::size_t node) {
  const Box whole{{0, 0, 0}, workload.extent()};
  const Box& box = node == kSource ? whole : steps.boxes.nodes.at(node);
  const ElementType type = node == kSource ? workload.input().type : steps.types.at(node);
  return {{type, {box.size(0), box.size(1), box.size(2), workload.input().extent[3]}}, box};
}

ProgramSteps stepsOf(const ProgramWorkload& workload, const Box& region) {
  ProgramSteps steps = wholeSteps(workload);
  if (region == steps.region) return steps;
  steps.region = region;
  steps.boxes = boxesTogether(workload, region, steps.stages);
  std::vector<ProgramStage> copies;
  for (std::size_t node = 0; node < steps.result.size(); ++node) {
    if (!steps.result[node] || steps.boxes.nodes[node] == region) continue;
    copies.push_back({{node}, {node}, steps.result[node]});
    steps.result[node].reset();
  }
  steps.stages.insert(steps.stages.end(), copies.begin(), copies.end());
  return steps;
}

namespace {

// `inputs`: one for each of the formula's names.
std::unique_ptr<Workload> formulaStage(const ProgramWorkload& workload, const Formula& formula,
                                       const std::vector<ProgramArray>& inputs, const ProgramArray& out) {
  FormulaSetting setting;
  for (const ProgramArray& input : inputs) setting.inputs.push_back({input.spec, input.box});
  setting.volume = workload.extent();
  setting.boundary = workload.boundary();
  setting.constant = workload.constant();
  setting.region = out.box;
  setting.spacing = workload.spacing();
  setting.output = out.spec.type;
  setting.components = out.spec.extent[3];
  return std::make_unique<FormulaWorkload>(formula, std::move(setting));
}

// A result that exists elsewhere. A copy of the same type keeps its bits, including -0, which a sum would lose.
std::unique_ptr<Workload> copyStage(const ProgramWorkload& workload, const ProgramSteps& steps,
                                    const ProgramArray& in) {
  if (in.spec.type == workload.outputType()) {
    const Box& box = steps.region;
    const ArraySpec spec{workload.outputType(), {box.size(0), box.size(1), box.size(2), in.spec.extent[3]}};
    return formulaStage(workload, Formula::parse("result"), {in}, {spec, box});
  }
  const FilterWorkload whole({unchanged()}, workload.boundary(), workload.constant(), in.spec, workload.outputType());
  return std::make_unique<FilterWorkload>(
      whole.restricted(relativeTo(steps.region, in.box)).plannedAs(extentOf(workload.planned())));
}

std::unique_ptr<Workload> endedStage(const ProgramWorkload& workload, const ProgramSteps& steps,
                                     const ProgramStage& stage, FilterWorkload filters) {
  const auto place = [&](std::size_t node) {
    const auto found = std::ranges::find(stage.nodes, node);
    return found == stage.nodes.end() ? kSource : static_cast<std::size_t>(found - stage.nodes.begin());
  };
  std::vector<std::size_t> kept;
  for (const std::size_t node : stage.kept) kept.push_back(place(node));
  std::vector<EndedFilters::Ending> endings;
  for (const std::size_t node : stage.endings) {
    const ProgramNode& reader = workload.computed().nodes.at(node);
    EndedFilters::Ending& ending = endings.emplace_back(EndedFilters::Ending{*reader.op.formula(), {}});
    for (const std::size_t input : reader.inputs) ending.reads.push_back(place(input));
  }
  return std::make_unique<EndedFilters>(std::move(filters), std::move(kept), std::move(endings),
                                        steps.types.at(stage.endings.front()));
}

}  // namespace

std::unique_ptr<Workload> stageWorkload(const ProgramWorkload& workload, const ProgramSteps& steps,
                                        const ProgramStage& stage, const std::vector<ProgramArray>& inputs) {
  if (stage.copies) return copyStage(workload, steps, inputs.front());
  const ProgramArray out = arrayOf(workload, steps, stage.nodes.front());
  if (const Formula* formula = workload.computed().nodes.at(stage.nodes.front()).op.formula())
    return formulaStage(workload, *formula, inputs, out);
  const ProgramArray& in = inputs.front();
  FilterWorkload filters = workload.filtersOf(stage.nodes, in.spec, relativeTo(out.box, in.box), out.spec.type)
                               .plannedAs(extentOf(steps.planned.at(stage.nodes.front())));
  if (!stage.endings.empty()) return endedStage(workload, steps, stage, std::move(filters));
  return std::make_unique<FilterWorkload>(std::move(filters));
}

namespace {

// The last stage that reads each node; after all stages for the inputs of an output's last step.
std::vector<std::size_t> lastReaders(const FilterProgram& program, const ProgramSteps& steps) {
  std::vector<std::size_t> last(program.nodes.size());
  for (std::size_t s = 0; s < steps.stages.size(); ++s)
    for (const std::size_t input : steps.stages[s].inputs)
      if (input != kSource) last[input] = s;
  for (const ProgramOutput& output : program.outputs)
    if (const auto before = program.nodes[output.node].stepOf; before && *before != kSource)
      last[*before] = steps.stages.size();
  return last;
}

}  // namespace

std::int64_t ProgramSlots::total() const { return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0}); }

ProgramSlots slotsOf(const ProgramWorkload& workload, const ProgramSteps& steps) {
  const std::vector<std::size_t> last = lastReaders(workload.computed(), steps);
  ProgramSlots slots;
  slots.of.resize(last.size());
  std::vector<std::size_t> free;
  for (std::size_t s = 0; s < steps.stages.size(); ++s) {
    const ProgramStage& stage = steps.stages[s];
    if (!stage.copies)
      for (const std::size_t node : stage.made()) {
        if (steps.result[node]) continue;
        if (free.empty()) {
          free.push_back(slots.bytes.size());
          slots.bytes.push_back(0);
        }
        const std::size_t slot = free.back();  // the most recently used slot may still be in the caches
        free.pop_back();
        slots.of[node] = slot;
        slots.bytes[slot] = std::max(slots.bytes[slot], arrayOf(workload, steps, node).spec.bytes());
      }
    for (std::size_t node = 0; node < last.size(); ++node)
      if (last[node] == s && slots.of[node]) free.push_back(*slots.of[node]);
  }
  return slots;
}

namespace {

bool contains(const std::vector<std::size_t>& nodes, std::size_t node) {
  return std::ranges::find(nodes, node) != nodes.end();
}

class Endings {
 public:
  Endings(const ProgramWorkload& workload, const ProgramSteps& steps) : workload_(workload), steps_(steps) {}

  // The stages of one formula each that may end a stage.
  [[nodiscard]] std::vector<std::size_t> candidates(const ProgramStage& filters) const {
    std::vector<std::size_t> found;
    for (std::size_t s = 0; s < steps_.stages.size(); ++s)
      if (mayEnd(filters, steps_.stages[s])) found.push_back(s);
    return found;
  }
  // A stage with these nodes, too.
  [[nodiscard]] ProgramStage ended(const ProgramStage& filters, const std::vector<std::size_t>& formulas) const {
    ProgramStage all = filters;
    for (const std::size_t s : formulas) all.endings.push_back(steps_.stages[s].nodes.front());
    all.kept.clear();
    for (const std::size_t node : all.nodes)
      if (isReadElsewhere(node, all.endings)) all.kept.push_back(node);
    return all;
  }
  [[nodiscard]] bool accepted(const ProgramStage& stage, const EndTogether& together) const {
    const ElementType type = steps_.types[stage.endings.front()];
    // All outputs of a kernel have one type.
    for (const auto* nodes : {&stage.endings, &stage.kept})
      for (const std::size_t node : *nodes)
        if (steps_.types[node] != type) return false;
    std::vector<std::unique_ptr<Workload>> apart;
    ProgramStage filters = stage;
    filters.endings.clear();
    apart.push_back(workloadOf(filters));
    for (const std::size_t node : stage.endings) {
      apart.push_back(workloadOf({{node}, workload_.computed().nodes[node].inputs, {}}));
      if (apart.back()->precision() != apart.front()->precision()) return false;
    }
    const auto ended = workloadOf(stage);
    return together(workloadAs<EndedFilters>(*ended), apart);
  }

 private:
  [[nodiscard]] bool mayEnd(const ProgramStage& filters, const ProgramStage& stage) const {
    if (filters.copies || filters.inputs.size() != 1 || stage.copies || stage.nodes.size() != 1) return false;
    const FilterProgram& program = workload_.computed();
    const std::size_t node = stage.nodes.front();
    const ProgramNode& reader = program.nodes[node];
    // The input of the last repeated step is needed for step_norms.h.
    if (reader.op.formula() == nullptr || reader.stepOf || !EndedFilters::suits(*reader.op.formula())) return false;
    const auto sum = [&](std::size_t input) {
      return contains(filters.nodes, input) && program.nodes[input].op.stencil() != nullptr;
    };
    return std::ranges::any_of(reader.inputs, sum) &&
           std::ranges::all_of(reader.inputs, [&](std::size_t i) { return sum(i) || i == filters.inputs.front(); }) &&
           steps_.boxes.nodes[node] == steps_.boxes.nodes[filters.nodes.front()];
  }
  [[nodiscard]] bool isReadElsewhere(std::size_t node, const std::vector<std::size_t>& endings) const {
    const FilterProgram& program = workload_.computed();
    for (std::size_t n = 0; n < program.nodes.size(); ++n)
      if (!contains(endings, n) && (contains(program.nodes[n].inputs, node) || program.nodes[n].stepOf == node))
        return true;
    return std::ranges::find(program.outputs, node, &ProgramOutput::node) != program.outputs.end();
  }
  [[nodiscard]] std::unique_ptr<Workload> workloadOf(const ProgramStage& stage) const {
    std::vector<ProgramArray> inputs;
    for (const std::size_t input : stage.inputs) inputs.push_back(arrayOf(workload_, steps_, input));
    return stageWorkload(workload_, steps_, stage, inputs);
  }

  const ProgramWorkload& workload_;
  const ProgramSteps& steps_;
};

}  // namespace

std::vector<std::size_t> ProgramStage::made() const {
  if (endings.empty()) return nodes;
  std::vector<std::size_t> all = kept;
  all.insert(all.end(), endings.begin(), endings.end());
  return all;
}

ProgramSteps withEndings(const ProgramWorkload& workload, ProgramSteps steps, const EndTogether& together) {
  for (std::size_t s = 0; together && s < steps.stages.size(); ++s) {
    const Endings endings(workload, steps);
    const ProgramStage filters = steps.stages[s];
    std::vector<std::size_t> taken = endings.candidates(filters);
    if (taken.empty()) continue;
    if (!endings.accepted(endings.ended(filters, taken), together)) {
      // As many as fit, not all at once.
      std::vector<std::size_t> some;
      for (const std::size_t one : std::exchange(taken, {})) {
        some.push_back(one);
        if (!endings.accepted(endings.ended(filters, some), together)) some.pop_back();
      }
      taken = std::move(some);
    }
    if (taken.empty()) continue;
    steps.stages[s] = endings.ended(filters, taken);
    // A formula's own stage comes after that of what it reads.
    for (auto one = taken.rbegin(); one != taken.rend(); ++one)
      steps.stages.erase(steps.stages.begin() + static_cast<std::ptrdiff_t>(*one));
  }
  return steps;
}

}  // namespace sscope
