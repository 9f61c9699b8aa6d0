// Formulas that become a part of the stage whose sums they read.

#include <algorithm>
#include <utility>

#include "core/filter/program/program_stages.h"

namespace sscope {

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
  // A stage with these as well.
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
    // Whatever leaves a kernel has one type.
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
    // Of repeated steps the one before the last is told (step_norms.h).
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
      // Not all at once: as many as there is room for.
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
