#include "core/filter/program/ended_filters.h"

#include <algorithm>
#include <utility>

#include "core/filter/workload/filter_shape.h"

namespace sscope {

namespace {

// Lengths are needed where positions are, and suits() leaves these out.
constexpr std::array<double, 3> kAnySpacing{1, 1, 1};

// Also as a program, which knows what it computes.
ProgramWorkload programOf(const FilterWorkload& filters, const std::vector<std::size_t>& kept,
                          const std::vector<EndedFilters::Ending>& endings, ElementType output) {
  FilterProgram program;
  for (const Operator& op : filters.operators()) program.nodes.push_back({op, {kSource}});
  for (const std::size_t filter : kept) program.outputs.push_back({filter, filters.operators().at(filter).name});
  for (const EndedFilters::Ending& ending : endings) {
    program.outputs.push_back({program.nodes.size(), ""});
    program.nodes.push_back({Operator(ending.formula), ending.reads});
  }
  const ProgramWorkload whole(std::move(program), filters.boundary(), filters.constant(), filters.input(), kAnySpacing,
                              output);
  return whole.restricted(filters.region());
}

}  // namespace

EndedFilters::EndedFilters(FilterWorkload filters, std::vector<std::size_t> kept, std::vector<Ending> endings,
                           ElementType output)
    : ProgramWorkload(programOf(filters, kept, endings, output)),
      filters_(std::move(filters)),
      kept_(std::move(kept)),
      endings_(std::move(endings)) {}

bool EndedFilters::suits(const Formula& formula) {
  return formula.pointwise() &&
         std::ranges::find(formula.tree().nodes, FormulaOp::Extent, &FormulaNode::op) == formula.tree().nodes.end();
}

bool EndedFilters::sameShape(const EndedFilters& other) const {
  return outputType() == other.outputType() && kept_ == other.kept_ &&
         std::ranges::equal(
             endings_, other.endings_,
             [](const Ending& a, const Ending& b) { return a.formula.sameText(b.formula) && a.reads == b.reads; }) &&
         sscope::sameShape(filters_, other.filters_);
}

}  // namespace sscope
