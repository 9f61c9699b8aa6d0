#include "ui/model/kept_mean.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/families/program.h"

namespace sscope {

namespace {

double sumOf(const std::vector<double>& weights) { return std::accumulate(weights.begin(), weights.end(), 0.0); }

double sumOf(const Stencil& stencil) {
  if (!stencil.separable()) return sumOf(stencil.dense.weights);
  double sum = 0;
  for (const SeparableTerm& term : stencil.terms) {
    double product = 1;
    for (const AxisTaps& axis : term.axis) product *= sumOf(axis.weights);
    sum += product;
  }
  return sum;
}

bool keepsMean(const Operator& op) {
  constexpr double kRounding = 1e-6;
  return op.stencil() != nullptr ? std::abs(sumOf(*op.stencil()) - 1) < kRounding : op.window() != nullptr;
}

// Of a row and of those that it reads, up to the data.
bool keepsMean(const FilterBank& bank, const FilterRecipe* row, const FilterGrid& grid) {
  while (row != nullptr) {
    if (!keepsMean(makeOperator(*row, grid))) return false;
    const std::string read = row->inputs.empty() ? kSourceName : row->inputs.front();
    if (read == kSourceName) return true;
    const FilterRecipe* const above =
        std::find_if(bank.filters.data(), row, [&](const FilterRecipe& one) { return one.name == read; });
    row = above == row ? nullptr : above;
  }
  return false;
}

}  // namespace

bool shownFilterKeepsMean(const SessionModel& model) {
  const auto enabled = model.bank().enabled();
  const std::size_t shown = model.shownFilterIndex();
  if (!model.hasData() || shown >= enabled.size()) return false;
  const Volume& volume = *model.data().volume;
  try {
    return keepsMean(model.bank(), enabled[shown], filterGrid(volume.shape().dimensions(), volume.geometry()));
  } catch (const Error&) {  // it does not fit the data, and the list of filters says so
    return false;
  }
}

}  // namespace sscope
