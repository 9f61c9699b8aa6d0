#include "ui/model/visible_slices.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/families/program.h"
#include "ui/views/slice_plane.h"

namespace sscope {

std::size_t sliceOfPane(std::size_t pane, const Volume& data) {
  // As VolumeViews places its planes.
  return data.shape().dimensions() == 2 ? pane : 2 - indexAxesOf(data.geometry())[2 - pane];
}

std::array<bool, 3> seenSlices(const std::string& layout, const Volume& data) {
  if (data.shape().dimensions() == 2) return {true, false, false};
  static const std::array<std::string, 3> kPanes{"axial", "coronal", "sagittal"};
  const bool all = layout != "volume" && std::ranges::find(kPanes, layout) == kPanes.end();
  std::array<bool, 3> seen{};
  for (std::size_t pane = 0; pane < kPanes.size(); ++pane)
    seen[sliceOfPane(pane, data)] = layout == kPanes[pane] || all;
  return seen;
}

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

// For a row and all rows that it reads, up to the data.
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
  } catch (const Error&) {  // it does not fit the data; the list of filters shows that
    return false;
  }
}

}  // namespace sscope
