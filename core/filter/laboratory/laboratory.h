#pragma once
// The contents of a laboratory page for a bank and one of its rows, computed at once.

#include <array>
#include <complex>
#include <memory>
#include <mutex>
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
  std::string row;  // the name of the shown filter
  FilterGrid grid;
  // Of the data in their unit of length, for frequencies per length; empty if the unit is unknown.
  std::optional<std::array<double, 3>> spacing;
  LaboratoryView view;
};

// Values on a plane of frequencies, `across` fastest.
struct SpectrumPlane {
  std::size_t across = 0, down = 1, hidden = 2;  // axes: 0 is x
  double at = 0;                                 // along the hidden axis
  std::vector<double> alongAcross, alongDown;    // cycles per voxel
  // H, and all magnitudes, in units of 2^exponent: 0 unless the squares of taps exceed double precision.
  std::vector<std::complex<double>> values;
  int exponent = 0;
  double peak = 0;   // the largest |H| found, also in other planes
  double least = 0;  // |H| up to this is rounding
};

// From 0 to 1/2 cycles per voxel along an axis, the other two frequencies being 0.
struct AxisLine {
  std::size_t axis = 0;
  std::vector<double> frequency;
  std::vector<std::complex<double>> values;  // in units of 2^SpectrumPlane::exponent
};

struct LaboratoryFilter {
  std::string name;
  // Why it is not known to be linear (LinearRow::reason); then spectra are those of its impulse response. Empty: it is
  // linear.
  std::string notLinear;
  // Empty if the page does not show them.
  std::optional<FilterFigures> figures;
  std::optional<ImpulsePlane> impulse;
  std::optional<SpectrumPlane> plane;
  std::vector<AxisLine> lines;  // of each axis that the data have; their scale is that of the plane
};

struct LaboratoryBank {
  std::vector<std::string> names;    // of the compared rows
  std::vector<std::string> leftOut;  // names of results that are not linear
  // Of the page "coverage".
  BankCoverage coverage;
  FrameBounds bounds;
  RadialProfile profile;  // in the requested unit
  std::vector<UnseenBand> unseen;
  // Of the page "correlation".
  std::vector<double> correlation;
};

struct LaboratoryAnswer {
  LaboratoryWish wish;
  std::optional<LaboratoryFilter> filter;  // pages "impulse", "spectrum", "curves"
  std::optional<LaboratoryBank> bank;      // pages "coverage", "correlation"
};

// The impulse response of a row, which is computed again only if another one is requested. Thread-safe.
class MeasuredRow {
 public:
  [[nodiscard]] std::shared_ptr<const Stencil> taps(const LaboratoryWish& wish, const FilterProgram& program,
                                                    std::size_t node, const Control& control);

 private:
  std::mutex mutex_;
  FilterBank bank_;
  std::string row_, from_;
  FilterGrid grid_;
  std::shared_ptr<const Stencil> taps_;
};

// Computes a page on several threads; `measured` is kept between requests. Throws Error(Usage) for a row that cannot be
// computed, and Canceled.
[[nodiscard]] LaboratoryAnswer laboratory(const LaboratoryWish& wish, MeasuredRow& measured, const Control& control);
[[nodiscard]] LaboratoryAnswer laboratory(const LaboratoryWish& wish, const Control& control);

// The plane of a coverage nearest to a frequency along an axis, `across` fastest; values are sums of |H|^2.
struct CoveragePlane {
  std::size_t across = 0, down = 1, hidden = 2;
  double at = 0;
  std::vector<double> values;  // in units of 2^BankCoverage::exponent
};
[[nodiscard]] CoveragePlane planeOf(const BankCoverage& coverage, std::size_t hidden, double frequency);

}  // namespace sscope
