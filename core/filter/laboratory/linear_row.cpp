#include "core/filter/laboratory/linear_row.h"

#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/overloaded.h"

namespace sscope {

namespace {

constexpr double kMostProducts = 4e9;  // some seconds

AxisTaps convolved(const AxisTaps& a, const AxisTaps& b) {
  AxisTaps sum;
  sum.anchor = a.anchor + b.anchor;
  sum.weights.assign(a.weights.size() + b.weights.size() - 1, 0.0);
  for (std::size_t i = 0; i < a.weights.size(); ++i)
    for (std::size_t j = 0; j < b.weights.size(); ++j) sum.weights[i + j] += a.weights[i] * b.weights[j];
  return sum;
}

// Every tap of `few` moves, times its weight, a copy of `many`.
DenseTaps convolved(const DenseTaps& few, const DenseTaps& many, const Control& control) {
  if (static_cast<double>(few.count()) * static_cast<double>(many.count()) > kMostProducts)
    throw Error(ErrorKind::Usage, "the taps of filters in series would take too many products",
                "look at the row by itself");
  DenseTaps sum;
  for (std::size_t a = 0; a < 3; ++a) {
    sum.size[a] = few.size[a] + many.size[a] - 1;
    sum.anchor[a] = few.anchor[a] + many.anchor[a];
  }
  sum.weights.assign(static_cast<std::size_t>(sum.count()), 0.0);
  for (std::int64_t z = 0; z < few.size[2]; ++z)
    for (std::int64_t y = 0; y < few.size[1]; ++y)
      for (std::int64_t x = 0; x < few.size[0]; ++x) {
        const double weight = few.at(x, y, z);
        if (weight == 0) continue;
        control.check();
        for (std::int64_t k = 0; k < many.size[2]; ++k)
          for (std::int64_t j = 0; j < many.size[1]; ++j) {
            const std::int64_t to = ((z + k) * sum.size[1] + y + j) * sum.size[0] + x;
            for (std::int64_t i = 0; i < many.size[0]; ++i)
              sum.weights[static_cast<std::size_t>(to + i)] += weight * many.at(i, j, k);
          }
      }
  return sum;
}

DenseTaps along(std::size_t axis, const AxisTaps& taps) {
  DenseTaps line;
  line.size[axis] = taps.size();
  line.anchor[axis] = taps.anchor;
  line.weights = taps.weights;
  return line;
}

void add(DenseTaps& sum, const DenseTaps& more) {
  Stencil both;  // its box holds both
  const auto outline = [&](const DenseTaps& taps) {
    SeparableTerm term;
    for (std::size_t a = 0; a < 3; ++a)
      term.axis[a] = {std::vector<double>(static_cast<std::size_t>(taps.size[a])), taps.anchor[a]};
    both.terms.push_back(std::move(term));
  };
  outline(sum);
  outline(more);
  DenseTaps out;
  out.size = both.size();
  out.anchor = both.anchor();
  out.weights.assign(static_cast<std::size_t>(out.count()), 0.0);
  for (const DenseTaps* taps : {&std::as_const(sum), &more})
    for (std::int64_t z = 0; z < taps->size[2]; ++z)
      for (std::int64_t y = 0; y < taps->size[1]; ++y)
        for (std::int64_t x = 0; x < taps->size[0]; ++x) {
          const std::int64_t px = x - taps->anchor[0] + out.anchor[0], py = y - taps->anchor[1] + out.anchor[1],
                             pz = z - taps->anchor[2] + out.anchor[2];
          out.weights[static_cast<std::size_t>((pz * out.size[1] + py) * out.size[0] + px)] += taps->at(x, y, z);
        }
  sum = std::move(out);
}

// Axis by axis.
DenseTaps convolved(const std::vector<SeparableTerm>& terms, const DenseTaps& dense, const Control& control) {
  std::optional<DenseTaps> sum;
  for (const SeparableTerm& term : terms) {
    DenseTaps one = dense;
    for (std::size_t a = 0; a < 3; ++a)
      if (!term.axis[a].identity()) one = convolved(along(a, term.axis[a]), one, control);
    if (sum) {
      add(*sum, one);
    } else {
      sum = std::move(one);
    }
  }
  return *sum;
}

std::string whyNot(const Operator& op) {
  return std::visit(Overloaded{[](const Stencil&) { return ""; },
                               [](const RankWindow&) { return "it takes the value of a rank, which is not linear"; },
                               [](const RangeWindow&) { return "its weights depend on the data"; },
                               [](const Formula&) { return "it is computed by a formula, which need not be linear"; },
                               [](const EntropyWindow&) { return "it counts values, which is not linear"; }},
                    op.kind);
}

}  // namespace

Stencil inSeries(const Stencil& first, const Stencil& second, const Control& control) {
  Stencil both;
  if (first.separable() && second.separable()) {
    for (const SeparableTerm& a : first.terms)
      for (const SeparableTerm& b : second.terms) {
        SeparableTerm& term = both.terms.emplace_back();
        for (std::size_t axis = 0; axis < 3; ++axis) term.axis[axis] = convolved(a.axis[axis], b.axis[axis]);
      }
  } else if (first.separable()) {
    both.dense = convolved(first.terms, second.dense, control);
  } else if (second.separable()) {
    both.dense = convolved(second.terms, first.dense, control);
  } else {
    const bool fewer = first.dense.count() <= second.dense.count();
    both.dense = convolved(fewer ? first.dense : second.dense, fewer ? second.dense : first.dense, control);
  }
  return both;
}

LinearRow linearRow(const FilterProgram& program, std::size_t node, const Control& control) {
  LinearRow row;
  while (node != kSource) {
    const ProgramNode& now = program.nodes.at(node);
    const Stencil* taps = now.op.stencil();
    if (taps == nullptr) return {{}, whyNot(now.op)};
    row.taps = row.taps ? inSeries(*taps, *row.taps, control) : *taps;
    node = now.inputs.at(0);
  }
  return row;
}

FilterProgram asProgram(const ProgramPart& part) {
  FilterProgram program;
  program.nodes = part.nodes;
  for (ProgramNode& node : program.nodes)
    for (std::size_t& input : node.inputs)
      if (input >= part.nodes.size()) input = kSource;
  if (!program.nodes.empty()) program.outputs.push_back({program.nodes.size() - 1, {}});
  return program;
}

}  // namespace sscope
