#include "core/filter/program/fused_formulas.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/filter/formula/composed_formula.h"

namespace sscope {

namespace {

// Whether input i of a formula is a node that nobody else needs, not even by another name.
bool onlyHere(const FilterProgram& program, std::size_t reader, std::size_t i) {
  const std::size_t node = program.nodes[reader].inputs[i];
  std::ptrdiff_t reads = 0;
  for (const ProgramNode& each : program.nodes) reads += std::ranges::count(each.inputs, node);
  return reads == 1 && std::ranges::find(program.outputs, node, &ProgramOutput::node) == program.outputs.end();
}

// With as many parts as make one formula. Those left out, the last ones first, are removed from `inner`.
std::optional<BoundFormula> largest(const BoundFormula& outer, std::vector<std::optional<BoundFormula>>& inner) {
  for (std::size_t kept = inner.size(); kept > 0; --kept) {
    if (kept < inner.size()) inner[kept].reset();
    if (std::ranges::none_of(inner, [](const auto& one) { return one.has_value(); })) break;
    if (std::optional<BoundFormula> whole = composed(outer, inner)) return whole;
  }
  return std::nullopt;
}

}  // namespace

FilterProgram withFusedFormulas(const FilterProgram& program) {
  FilterProgram fused = program;
  for (std::size_t n = 0; n < fused.nodes.size(); ++n) {
    ProgramNode& node = fused.nodes[n];
    const Formula* outer = node.op.formula();
    // Of repeated steps the one before the last is told (step_norms.h).
    if (outer == nullptr || node.stepOf) continue;
    std::vector<std::optional<BoundFormula>> inner(node.inputs.size());
    for (std::size_t i = 0; i < inner.size(); ++i) {
      if (node.inputs[i] == kSource || !readsVoxelAlone(*outer, i) || !onlyHere(fused, n, i)) continue;
      const ProgramNode& from = fused.nodes[node.inputs[i]];
      if (const Formula* formula = from.op.formula()) inner[i] = BoundFormula{*formula, from.inputs};
    }
    std::optional<BoundFormula> whole = largest({*outer, node.inputs}, inner);
    if (!whole) continue;
    for (std::size_t i = 0; i < inner.size(); ++i)
      if (inner[i]) fused.nodes[node.inputs[i]].inputs.clear();
    node.op.kind = std::move(whole->formula);
    node.inputs = std::move(whole->inputs);
  }
  return fused;
}

}  // namespace sscope
