#include "ui/rooms/filter/kept_mean.h"

#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/filter/family.h"

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

}  // namespace

bool shownFilterKeepsMean(const SessionModel& model) {
  const auto enabled = model.bank().enabled();
  const std::size_t shown = model.shownFilterIndex();
  if (!model.hasData() || shown >= enabled.size()) return false;
  const Volume& volume = *model.data().volume;
  try {
    const Operator made = makeOperator(*enabled[shown], filterGrid(volume.shape().dimensions(), volume.geometry()));
    constexpr double kRounding = 1e-6;
    return made.stencil() ? std::abs(sumOf(*made.stencil()) - 1) < kRounding : made.window() != nullptr;
  } catch (const Error&) {  // it does not fit the data, and the list of filters says so
    return false;
  }
}

}  // namespace sscope
