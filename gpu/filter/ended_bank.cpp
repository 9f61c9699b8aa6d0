#include "gpu/filter/ended_bank.h"

#include <algorithm>

#include "core/filter/formula/formula_program.h"
#include "gpu/filter/formula_text.h"
#include "gpu/filter/fused_shape.h"

namespace sscope {

namespace {

using Ending = EndedFilters::Ending;

bool contains(const std::vector<std::size_t>& places, std::size_t place) {
  return std::ranges::find(places, place) != places.end();
}

bool readsAllOf(const FilterGroup& group, const Ending& ending) {
  return std::ranges::all_of(ending.reads, [&](std::size_t f) { return f == kSource || contains(group.filters, f); });
}

bool allAxesAtOnce(const MethodChoice& choice, std::size_t f) {
  return choice.methods[f] == MethodKind::Fused || choice.methods[f] == MethodKind::FusedBank;
}
bool takesEndings(const MethodChoice& choice, const FilterGroup& group) {
  return std::ranges::all_of(group.filters, [&](std::size_t f) { return allAxesAtOnce(choice, f); });
}

bool simple(const FormulaProgram& program) {
  return program.steps.size() <= kMostEndingSteps &&
         std::ranges::all_of(program.steps, [](const FormulaStep& step) { return resultsOf(step.op) == 1; });
}

// Whether the window around all taps contains the position of the output, where formulas read the data.
bool holdsPlace(const EndedFilters& ended, const FilterGroup& group) {
  std::vector<std::vector<SeparableTerm>> terms;
  for (const std::size_t f : group.filters) terms.push_back(factored(ended.filters().stencil(f)).terms);
  const FusedLines lines = fusedLines(terms, true);
  for (std::size_t a = 0; a < 3; ++a)
    if (lines.anchor[a] < 0 || lines.anchor[a] >= lines.window[a]) return false;
  return true;
}

MethodOutputs outputsOf(const FilterWorkload& filters) {
  const Box& region = filters.region();
  return {{region.size(0), region.size(1), region.size(2), filters.input().extent[3]},
          filters.precision(),
          filters.orderedAs()};
}

std::vector<const Operator*> operatorsOf(const EndedFilters& ended, const FilterGroup& group) {
  std::vector<const Operator*> ops;
  for (const std::size_t f : group.filters) ops.push_back(&ended.filters().operators()[f]);
  return ops;
}

std::optional<MethodWork> endedWork(const EndedFilters& ended, const FilterGroup& group) {
  BankEnding ending{group.outputs.size(), 0};
  for (const std::size_t e : group.endings) ending.operations += ended.endings()[e].formula.operations();
  return fusedBankWork(operatorsOf(ended, group), outputsOf(ended.filters()), ending);
}

// The groups of a choice with their formulas; empty if a formula has no group.
std::vector<FilterGroup> endedGroups(const EndedFilters& ended, const MethodChoice& choice) {
  std::vector<FilterGroup> groups = groupsOf(joinedForEndings(ended, choice));
  if (!placeOutputs(groups, ended)) groups.clear();
  return groups;
}

// The groups of the choice without formulas, for filters that one kernel computes along all axes.
MethodWork workApart(const EndedFilters& ended, const FilterGroup& group, std::span<const Method> methods) {
  const MethodOutputs outputs = outputsOf(ended.filters());
  const std::vector<const Operator*> ops = operatorsOf(ended, group);
  if (group.together)
    if (const auto work = fusedBankWork(ops, outputs)) return *work;
  const auto alone = std::ranges::find(methods, MethodKind::Fused, &Method::kind);
  MethodWork sum;
  for (const Operator* op : ops) sum += alone->work(*op, outputs);
  return sum;
}

}  // namespace

std::vector<FilterGroup> groupsOf(const MethodChoice& choice) {
  std::vector<FilterGroup> groups;
  for (const std::vector<std::size_t>& all : choice.together) groups.push_back({all, true});
  for (std::size_t f = 0; f < choice.methods.size(); ++f)
    if (std::ranges::none_of(choice.together, [&](const auto& all) { return contains(all, f); }))
      groups.push_back({{f}, false});
  return groups;
}

MethodChoice joinedForEndings(const EndedFilters& ended, MethodChoice choice) {
  for (const Ending& ending : ended.endings()) {
    std::vector<std::size_t> all;
    const auto read = [&](std::size_t f) { return f != kSource && contains(ending.reads, f); };
    bool joins = true;
    for (const std::size_t f : ending.reads) joins = joins && (f == kSource || allAxesAtOnce(choice, f));
    if (!joins) continue;
    for (const FilterGroup& group : groupsOf(choice))
      if (std::ranges::any_of(group.filters, read)) all.insert(all.end(), group.filters.begin(), group.filters.end());
    std::ranges::sort(all);
    if (all.size() < 2) continue;
    std::erase_if(choice.together, [&](const std::vector<std::size_t>& some) { return contains(all, some.front()); });
    for (const std::size_t f : all) choice.methods[f] = MethodKind::FusedBank;
    choice.together.push_back(std::move(all));
  }
  return choice;
}

void placeOutputs(std::vector<FilterGroup>& groups) {
  for (FilterGroup& group : groups) group.outputs = group.filters;
}

bool placeOutputs(std::vector<FilterGroup>& groups, const EndedFilters& ended) {
  const std::vector<std::size_t>& kept = ended.kept();
  for (FilterGroup& group : groups)
    for (const std::size_t f : group.filters)
      if (const auto place = std::ranges::find(kept, f); place != kept.end())
        group.outputs.push_back(static_cast<std::size_t>(place - kept.begin()));
  for (std::size_t e = 0; e < ended.endings().size(); ++e) {
    const auto group =
        std::ranges::find_if(groups, [&](const FilterGroup& one) { return readsAllOf(one, ended.endings()[e]); });
    if (group == groups.end()) return false;
    group->outputs.push_back(kept.size() + e);
    group->endings.push_back(e);
  }
  return true;
}

std::string endedRestriction(const EndedFilters& ended, const MethodChoice& choice) {
  const std::vector<FilterGroup> groups = endedGroups(ended, choice);
  if (groups.empty()) return "no kernel computes all that a formula reads";
  for (const FilterGroup& group : groups) {
    if (group.endings.empty()) continue;
    if (!takesEndings(choice, group)) return "only kernels of all axes at once end in formulas";
    if (group.outputs.size() > kMostTogether)
      return "a kernel has at most " + std::to_string(kMostTogether) + " outputs";
    if (!endedWork(ended, group)) return "there are not enough registers for all sums until a formula can be computed";
    for (const std::size_t e : group.endings) {
      const Ending& ending = ended.endings()[e];
      if (!simple(compileFormula(ending.formula))) return "its formula is too large to be computed beside sums";
      if (contains(ending.reads, kSource) && !holdsPlace(ended, group))
        return "the filters do not read around the voxel that the formula reads";
    }
  }
  return {};
}

double endedSeconds(const EndedFilters& ended, const MethodChoice& choice, std::span<const Method> methods,
                    const CostModel& model) {
  if (!(choice.seconds > 0)) return 0;
  double seconds = choice.seconds, bytes = 0;
  std::vector<std::size_t> joined;  // filters that are computed differently than in the choice
  for (const FilterGroup& group : endedGroups(ended, choice)) {
    const auto work = group.endings.empty() ? std::nullopt : endedWork(ended, group);
    if (!work) continue;
    seconds += model.seconds(*work, 0);
    joined.insert(joined.end(), group.filters.begin(), group.filters.end());
  }
  for (const FilterGroup& group : groupsOf(choice))
    if (contains(joined, group.filters.front())) seconds -= model.seconds(workApart(ended, group, methods), 0);
  for (const ArraySpec& output : ended.outputs()) bytes += static_cast<double>(output.bytes());
  for (const ArraySpec& sum : ended.filters().outputs()) bytes -= static_cast<double>(sum.bytes());
  return seconds + model.seconds({}, bytes);
}

FusedEnding fusedEnding(const EndedFilters& ended, const FilterGroup& group) {
  FusedEnding made;
  const Precision precision = ended.filters().precision();
  const auto valueOf = [&](std::size_t filter) {
    if (filter == kSource) return std::string("SOURCE_AT(r)");
    const auto place = std::ranges::find(group.filters, filter) - group.filters.begin();
    return "SUM_OF_" + std::to_string(place) + "(r)";
  };
  for (const std::size_t f : group.filters)
    if (contains(ended.kept(), f)) made.values.push_back(valueOf(f));
  for (const std::size_t e : group.endings) {
    const Ending& ending = ended.endings()[e];
    const FormulaProgram program = compileFormula(ending.formula);
    // Neither positions nor extents matter (EndedFilters::suits).
    const std::vector<double> uniforms = uniformValues(program, ending.formula, {});
    const std::string name = "ending" + std::to_string(e);
    const FormulaText function = formulaFunction(name, ending.formula, program, uniforms, precision);
    made.functions += function.text;
    std::string arguments;
    for (const std::size_t read : ending.reads) arguments += (arguments.empty() ? "" : ", ") + valueOf(read);
    for (const std::size_t uniform : function.numbers) {
      arguments += ", taps.number[" + std::to_string(made.numbers.size()) + "]";
      made.numbers.push_back(uniforms[uniform]);
    }
    made.values.push_back(name + "(" + arguments + ")");
  }
  return made;
}

}  // namespace sscope
