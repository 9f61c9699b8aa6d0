#include "core/filter/program/program_stages.h"

#include <algorithm>
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

// Values that are only converted pass through one tap of 1.
Operator unchanged() { return {"convert", Stencil()}; }

// The first output of a node whose box is the region goes straight to its place if nobody reads it in another type.
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

// Of the whole that the workload was planned for.
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

// Those that are computed together are computed in one box, and so need more before them.
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

// A result that is elsewhere already. In the same type it keeps its bits, also those of -0, which a sum does not.
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

}  // namespace sscope
