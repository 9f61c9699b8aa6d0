#include "core/filter/laboratory/laboratory.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/laboratory/linear_row.h"
#include "core/filter/laboratory/spectrum.h"

namespace sscope {

namespace {

constexpr std::uint64_t kPlanePoints = 128, kMostPlanePoints = 512;
constexpr std::int64_t kCoarsePoints = 24;
constexpr std::int64_t kLinePoints = 257;

// A row as a node of a program.
struct Looked {
  FilterProgram program;
  std::size_t node = kSource;
};

Looked rowByItself(const FilterRecipe& recipe, const FilterGrid& grid) {
  Looked row{asProgram(makePart(recipe, grid)), kSource};
  row.node = row.program.nodes.size() - 1;
  return row;
}

// Other rows, which may have errors, are left out unless they are read.
Looked rowFromSource(FilterBank bank, const FilterRecipe& recipe, const FilterGrid& grid) {
  for (FilterRecipe& each : bank.filters)
    if (each.name == recipe.name) each.enabled = true;
  const auto enabled = bank.enabled();
  std::vector<const FilterRecipe*> wrong;
  for (const RowError& error : rowErrors(bank, grid)) {
    if (enabled[error.place]->name == recipe.name)
      throw Error(ErrorKind::Usage, error.reason, "show the row by itself");
    wrong.push_back(enabled[error.place]);
  }
  for (FilterRecipe& each : bank.filters)
    if (std::ranges::find(wrong, &each) != wrong.end()) each.enabled = false;
  Looked row{makeProgram(bank, grid, true), kSource};
  for (const ProgramOutput& output : row.program.outputs)
    if (output.name == recipe.name) row.node = output.node;
  return row;
}

double largestOf(const std::vector<std::complex<double>>& values) {
  double largest = 0;
  for (const auto& value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

std::vector<double> planeFrequencies(std::int64_t size) {
  const auto wanted = std::bit_ceil(static_cast<std::uint64_t>(2 * size));
  return centeredFrequencies(static_cast<std::int64_t>(std::clamp(wanted, kPlanePoints, kMostPlanePoints)));
}

SpectrumPlane spectrumPlane(const Stencil& filter, const LaboratoryWish& wish, double rounding,
                            const Control& control) {
  SpectrumPlane plane;
  plane.hidden = wish.grid.dimensions == 2 ? 2 : static_cast<std::size_t>(wish.view.across);
  plane.across = plane.hidden == 0 ? 1 : 0;
  plane.down = plane.hidden == 2 ? 1 : 2;
  plane.at = wish.grid.dimensions == 2 ? 0 : wish.view.frequency;
  plane.least = rounding;
  const auto size = filter.size();
  plane.alongAcross = planeFrequencies(size[plane.across]);
  plane.alongDown = planeFrequencies(size[plane.down]);
  Frequencies at;
  at[plane.across] = plane.alongAcross;
  at[plane.down] = plane.alongDown;
  at[plane.hidden] = {plane.at};
  plane.values = spectrum(filter, at, control);
  plane.peak = largestOf(plane.values);
  // Colors keep their scale while the plane changes.
  if (wish.grid.dimensions == 3) {
    const auto coarse = centeredFrequencies(kCoarsePoints);
    plane.peak = std::max(plane.peak, largestOf(spectrum(filter, {coarse, coarse, coarse}, control)));
  }
  return plane;
}

std::vector<AxisLine> axisLines(const Stencil& filter, int dimensions, const Control& control) {
  std::vector<AxisLine> lines;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensions); ++axis) {
    AxisLine line{axis, {}, {}};
    for (std::int64_t k = 0; k < kLinePoints; ++k)
      line.frequency.push_back(0.5 * static_cast<double>(k) / static_cast<double>(kLinePoints - 1));
    Frequencies at{{{0.0}, {0.0}, {0.0}}};
    at[axis] = line.frequency;
    line.values = spectrum(filter, at, control);
    lines.push_back(std::move(line));
  }
  return lines;
}

LaboratoryFilter filterOf(const LaboratoryWish& wish, MeasuredRow& measured, const Control& control) {
  const auto recipe = std::ranges::find(wish.bank.filters, wish.row, &FilterRecipe::name);
  if (recipe == wish.bank.filters.end()) throw Error(ErrorKind::Usage, "the bank has no filter to show", "add one");
  const Looked row =
      wish.view.from == "source" ? rowFromSource(wish.bank, *recipe, wish.grid) : rowByItself(*recipe, wish.grid);
  LaboratoryFilter filter;
  filter.name = wish.row;
  const LinearRow linear = linearRow(row.program, row.node, control);
  filter.notLinear = linear.reason;
  if (wish.view.page == "impulse") {
    const std::size_t hidden = wish.grid.dimensions == 2 ? 2 : static_cast<std::size_t>(wish.view.across);
    if (linear.taps) {
      filter.figures = figuresOf(*linear.taps, control);
      filter.impulse = impulsePlane(*linear.taps, hidden, wish.view.offset);
    } else {
      filter.impulse = impulsePlane(row.program, row.node, wish.grid, hidden, wish.view.offset, control);
    }
    return filter;
  }
  if (wish.view.page != "spectrum" && wish.view.page != "curves") return filter;
  const auto [shown, exponent, some] =
      ordinaryTaps(linear.taps ? *linear.taps : *measured.taps(wish, row.program, row.node, control));
  const double rounding = kSpectrumRounding * std::sqrt(innerProduct(shown, shown, control)) *
                          std::sqrt(static_cast<double>(shown.denseTaps()));  // at least sum |w|
  if (!std::isfinite(rounding)) {
    filter.notLinear += ", and its impulse response is not finite everywhere";
    return filter;
  }
  if (wish.view.page == "spectrum") filter.plane = spectrumPlane(shown, wish, rounding, control);
  if (wish.view.page == "curves") {
    filter.lines = axisLines(shown, wish.grid.dimensions, control);
    filter.plane = SpectrumPlane{};
    filter.plane->least = rounding;
    for (const AxisLine& line : filter.lines) filter.plane->peak = std::max(filter.plane->peak, largestOf(line.values));
  }
  filter.plane->exponent = exponent;
  return filter;
}

LaboratoryBank bankOf(const LaboratoryWish& wish, const Control& control) {
  FilterBank bank = wish.bank;
  const auto enabled = bank.enabled();
  std::vector<std::string> wrong;
  for (const RowError& error : rowErrors(bank, wish.grid)) wrong.push_back(enabled[error.place]->name);
  for (FilterRecipe& each : bank.filters)
    if (std::ranges::find(wrong, each.name) != wrong.end()) each.enabled = false;
  const FilterProgram program = makeProgram(bank, wish.grid, false);
  LaboratoryBank answer;
  std::vector<Stencil> filters;
  for (const ProgramOutput& output : program.outputs) {
    LinearRow row = linearRow(program, output.node, control);
    (row.taps ? answer.names : answer.leftOut).push_back(output.name);
    if (row.taps) filters.push_back(std::move(*row.taps));
  }
  if (filters.empty()) return answer;
  if (wish.view.page == "correlation") {
    answer.correlation = correlationMatrix(filters, control);
    return answer;
  }
  answer.coverage = bankCoverage(filters, coveragePoints(filters, wish.grid.dimensions), control);
  answer.bounds = frameBounds(answer.coverage);
  const std::array<double, 3> voxels{1, 1, 1};
  answer.profile = radialProfile(answer.coverage, wish.view.unit == "length" ? wish.spacing.value_or(voxels) : voxels);
  answer.unseen = unseenBands(answer.profile, kUnseenShare);
  return answer;
}

}  // namespace

std::shared_ptr<const Stencil> MeasuredRow::taps(const LaboratoryWish& wish, const FilterProgram& program,
                                                 std::size_t node, const Control& control) {
  {
    const std::scoped_lock lock(mutex_);
    if (taps_ && bank_ == wish.bank && row_ == wish.row && from_ == wish.view.from && grid_ == wish.grid) return taps_;
  }
  Stencil stencil;
  stencil.dense = measuredTaps(program, node, wish.grid, control);
  auto made = std::make_shared<const Stencil>(std::move(stencil));
  const std::scoped_lock lock(mutex_);
  bank_ = wish.bank;
  row_ = wish.row;
  from_ = wish.view.from;
  grid_ = wish.grid;
  return taps_ = std::move(made);
}

LaboratoryAnswer laboratory(const LaboratoryWish& wish, const Control& control) {
  MeasuredRow none;
  return laboratory(wish, none, control);
}

LaboratoryAnswer laboratory(const LaboratoryWish& wish, MeasuredRow& measured, const Control& control) {
  LaboratoryAnswer answer{wish, {}, {}};
  if (wish.view.page == "coverage" || wish.view.page == "correlation") {
    answer.bank = bankOf(wish, control);
  } else {
    answer.filter = filterOf(wish, measured, control);
  }
  return answer;
}

CoveragePlane planeOf(const BankCoverage& coverage, std::size_t hidden, double frequency) {
  CoveragePlane plane;
  plane.hidden = hidden;
  plane.across = hidden == 0 ? 1 : 0;
  plane.down = hidden == 2 ? 1 : 2;
  const std::vector<double>& along = coverage.frequencies[hidden];
  const auto nearest =
      std::ranges::min_element(along, {}, [&](double each) { return std::abs(each - frequency); }) - along.begin();
  plane.at = along[static_cast<std::size_t>(nearest)];
  std::array<std::size_t, 3> at{};
  at[hidden] = static_cast<std::size_t>(nearest);
  const auto& sizes = coverage.frequencies;
  for (at[plane.down] = 0; at[plane.down] < sizes[plane.down].size(); ++at[plane.down])
    for (at[plane.across] = 0; at[plane.across] < sizes[plane.across].size(); ++at[plane.across])
      plane.values.push_back(coverage.power[(at[2] * sizes[1].size() + at[1]) * sizes[0].size() + at[0]]);
  return plane;
}

}  // namespace sscope
