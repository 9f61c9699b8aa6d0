#include "core/filter/families/family_rows.h"

#include <algorithm>
#include <numbers>

#include "core/base/error.h"
#include "core/wavelet/magic_taps.h"
#include "core/wavelet/spectral_factor.h"
#include "core/wavelet/wavelet.h"

namespace sscope {

namespace {

AxisTaps axisTaps(const std::vector<double>& taps) {
  AxisTaps result;
  result.weights.clear();
  for (const double tap : taps) result.weights.push_back(tap / std::numbers::sqrt2);
  result.anchor = static_cast<std::int64_t>(taps.size() / 2) - 1;
  return result;
}

// Low along every axis, or high along one or all of them and low along the others: what the bands of a transform hold.
Stencil makeWavelet(const Wavelet& wavelet, const OptionValues& values, const FilterGrid& grid) {
  const bool high = textOf(values, "pass") == "high";
  const std::string& axis = textOf(values, "axis");
  if (high && axis == "z" && grid.dimensions < 3)
    throw Error(ErrorKind::Usage, "axis=z needs a volume, and this image has one slice", "use axis=x, y or all");
  SeparableTerm term;
  for (int a = 0; a < grid.dimensions; ++a) {
    const bool here = axis == "all" || axis == std::string(1, "xyz"[a]);
    term.axis[static_cast<std::size_t>(a)] = axisTaps(high && here ? wavelet.recHigh : wavelet.recLow);
  }
  Stencil filter;
  filter.terms = {term};
  return filter;
}

FilterFamily waveletFamily(std::string name, std::string label, std::string help, std::string prefix,
                           std::int64_t smallest, std::int64_t usual) {
  FilterFamily family;
  family.name = std::move(name);
  family.label = std::move(label);
  family.help = std::move(help);
  family.options = {
      integerOption("order", "Order", usual, smallest, kMaximumOrder, "Vanishing moments: half the number of taps."),
      choiceOption("pass", "Pass", {"low", "high"}, "Averages or details."),
      choiceOption("axis", "Axis", {"all", "x", "y", "z"}, "Where details are taken; along other axes averages are."),
  };
  family.make = [prefix = std::move(prefix)](const OptionValues& values, const FilterGrid& grid) {
    return makeWavelet(waveletNamed(prefix + std::to_string(integerOf(values, "order"))), values, grid);
  };
  return family;
}

Stencil makeMagic(const OptionValues& values, const FilterGrid& grid) {
  AxisTaps taps;
  taps.anchor = integerOf(values, "order");
  taps.weights = magicTaps(static_cast<int>(taps.anchor));
  if (textOf(values, "direction") == "inverse") {
    std::reverse(taps.weights.begin(), taps.weights.end());
    taps.anchor = taps.size() - 1 - taps.anchor;
  }
  SeparableTerm term;
  for (int a = 0; a < grid.dimensions; ++a) term.axis[static_cast<std::size_t>(a)] = taps;
  Stencil filter;
  filter.terms = {term};
  return filter;
}

}  // namespace

std::vector<FilterFamily> waveletFamilies() {
  return {
      waveletFamily("daubechies", "Daubechies",
                    "Low or high pass of Daubechies' wavelets: averages, or details of one scale.", "db", 1, 2),
      waveletFamily("symlet", "Symlet", "Low or high pass of the nearly symmetric wavelets.", "sym", 2, 8),
      {"magic",
       "Magic filter",
       "From wavelet coefficients to values at points, or the adjoint; BigDFT's filter at order 8.",
       {integerOption("order", "Order", 8, 1, kMagicMaximumOrder, "Half the number of taps."),
        choiceOption("direction", "Direction", {"forward", "inverse"}, "The filter or its adjoint.")},
       makeMagic},
      waveletDenoiseFamily(),
  };
}

}  // namespace sscope
