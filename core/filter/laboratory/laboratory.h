#pragma once
// What a page of the laboratory shows of a bank and of one of its rows, computed in one go.

#include <array>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/filter/laboratory/bank_coverage.h"
#include "core/filter/laboratory/filter_figures.h"
#include "core/filter/laboratory/impulse_answer.h"
#include "core/filter/laboratory/laboratory_view.h"
#include "core/filter/recipe.h"

namespace sscope {

struct LaboratoryWish {
  FilterBank bank;
  std::string row;  // the name of the filter that is looked at
  FilterGrid grid;
  // Of the data in their unit of length, for frequencies per length; nothing where the unit is not known.
  std::optional<std::array<double, 3>> spacing;
  LaboratoryView view;
};

// Values on a plane of frequencies, `across` fastest.
struct SpectrumPlane {
  std::size_t across = 0, down = 1, hidden = 2;  // axes: 0 is x
  double at = 0;                                 // along the hidden axis
  std::vector<double> alongAcross, alongDown;    // cycles per voxel
  std::vector<std::complex<double>> values;
  double peak = 0;   // the largest |H| found, also in other planes
  double least = 0;  // |H| up to this is rounding
};

// From 0 to 1/2 cycles per voxel along an axis, the other two frequencies being 0.
struct AxisLine {
  std::size_t axis = 0;
  std::vector<double> frequency;
  std::vector<std::complex<double>> values;
};

struct LaboratoryFilter {
  std::string name;
  std::string notLinear;  // why there is no spectrum; empty: there is one
  // Empty where the page does not show them.
  std::optional<FilterFigures> figures;
  std::optional<ImpulsePlane> impulse;
  std::optional<SpectrumPlane> plane;
  std::vector<AxisLine> lines;  // of each axis that the data have
};

struct LaboratoryBank {
  std::vector<std::string> names;    // of the rows that are looked at
  std::vector<std::string> leftOut;  // names of results that are not linear
  // Of the page "coverage".
  BankCoverage coverage;
  FrameBounds bounds;
  RadialProfile profile;  // in the unit that was wished
  std::vector<UnseenBand> unseen;
  // Of the page "correlation".
  std::vector<double> correlation;
};

struct LaboratoryAnswer {
  LaboratoryWish wish;
  std::optional<LaboratoryFilter> filter;  // pages "impulse", "spectrum", "curves"
  std::optional<LaboratoryBank> bank;      // pages "coverage", "correlation"
};

// Throws Error(Usage) for a row that cannot be computed, and Canceled.
[[nodiscard]] LaboratoryAnswer laboratory(const LaboratoryWish& wish, const Control& control);

// The plane of a coverage nearest to a frequency along an axis, `across` fastest; values are sums of |H|^2.
struct CoveragePlane {
  std::size_t across = 0, down = 1, hidden = 2;
  double at = 0;
  std::vector<double> values;
};
[[nodiscard]] CoveragePlane planeOf(const BankCoverage& coverage, std::size_t hidden, double frequency);

}  // namespace sscope
