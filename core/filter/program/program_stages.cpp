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

// Values that are only converted pass through one tap of 1.
Operator unchanged() { return {"convert", Stencil()}; }

// The first output of a node whose box is the region goes straight to its place if nobody reads it in another type.
void placeResults(const ProgramWorkload& workload, ProgramSteps& steps) {
  const FilterProgram& program = workload.computed();
  steps.result.assign(program.nodes.size(), std::nullopt);
  for (std::size_t o = 0; o < program.outputs.size(); ++o) {
    const std::size_t node = program.outputs[o].node;
    const bool read = std::ranges::any_of(program.nodes, [&](const ProgramNode& reader) {
      return std::ranges::find(reader.inputs, node) != reader.inputs.end();
    });
    const bool fits =
        steps.boxes.nodes[node] == steps.region && (!read || workload.valueType(node) == workload.outputType());
    if (fits && !steps.result[node]) {
      steps.result[node] = o;
    } else {
      steps.stages.push_back({{node}, {node}, o});
    }
  }
}

}  // namespace

ProgramArray arrayOf(const ProgramWorkload& workload, const ProgramSteps& steps, std::size_t node) {
  const Box whole{{0, 0, 0}, workload.extent()};
  const Box& box = node == kSource ? whole : steps.boxes.nodes.at(node);
  const ElementType type = node == kSource         ? workload.input().type
                           : steps.result.at(node) ? workload.outputType()
                                                   : workload.valueType(node);
  return {{type, {box.size(0), box.size(1), box.size(2), workload.input().extent[3]}}, box};
}

ProgramSteps stepsOf(const ProgramWorkload& workload, const Box& region) {
  const FilterProgram& program = workload.computed();
  ProgramSteps steps;
  steps.region = region;
  steps.boxes = neededBoxes(program, region, workload.extent(), workload.boundary());
  placeResults(workload, steps);
  const std::vector<ProgramStage> copies = std::exchange(steps.stages, {});
  for (std::size_t n = 0; n < program.nodes.size(); ++n) {
    if (isEmpty(steps.boxes.nodes[n])) continue;
    const auto together = std::ranges::find_if(steps.stages, [&](const ProgramStage& stage) {
      const std::size_t other = stage.nodes.front();
      return program.nodes[n].op.formula() == nullptr && program.nodes[other].op.formula() == nullptr &&
             stage.inputs == program.nodes[n].inputs && steps.boxes.nodes[other] == steps.boxes.nodes[n] &&
             arrayOf(workload, steps, other).spec == arrayOf(workload, steps, n).spec;
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

std::unique_ptr<Workload> stageWorkload(const ProgramWorkload& workload, const ProgramSteps& steps,
                                        const ProgramStage& stage, const std::vector<ProgramArray>& inputs) {
  if (stage.copies) {
    const ProgramArray& in = inputs.front();
    const FilterWorkload whole({unchanged()}, workload.boundary(), workload.constant(), in.spec, workload.outputType());
    return whole.restrictedTo(relativeTo(steps.region, in.box));
  }
  const ProgramArray out = arrayOf(workload, steps, stage.nodes.front());
  if (const Formula* formula = workload.computed().nodes.at(stage.nodes.front()).op.formula()) {
    FormulaSetting setting;
    for (const ProgramArray& input : inputs) setting.inputs.push_back({input.spec, input.box});
    setting.volume = workload.extent();
    setting.boundary = workload.boundary();
    setting.constant = workload.constant();
    setting.region = out.box;
    setting.spacing = workload.spacing();
    setting.output = out.spec.type;
    setting.components = out.spec.extent[3];
    return std::make_unique<FormulaWorkload>(*formula, std::move(setting));
  }
  const ProgramArray& in = inputs.front();
  return std::make_unique<FilterWorkload>(
      workload.filtersOf(stage.nodes, in.spec, relativeTo(out.box, in.box), out.spec.type));
}

}  // namespace sscope
