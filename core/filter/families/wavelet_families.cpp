#include <algorithm>
#include <numbers>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/filter/families/family_rows.h"
#include "core/filter/families/part_formula.h"
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

// Low along every axis, or high along one or all axes and low along the others: the bands of a transform.
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
      choiceOption("axis", "Axis", {"all", "x", "y", "z"}, "The axis of the details; the other axes are averaged."),
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

namespace {

constexpr std::size_t kNoisyInput = ProgramPart::rowInput(0);

// Taps `spread` voxels apart, zeros between them (M. Holschneider et al., A real-time algorithm for signal analysis
// with the help of the wavelet transform, 1989). Transposed: the same taps mirrored and halved, so that analysis
// followed by synthesis, summed over low and high, is the identity.
AxisTaps spreadTaps(const std::vector<double>& taps, std::int64_t spread, bool transposed) {
  AxisTaps result;
  result.weights.assign((taps.size() - 1) * static_cast<std::size_t>(spread) + 1, 0.0);
  for (std::size_t i = 0; i < taps.size(); ++i) result.weights[i * static_cast<std::size_t>(spread)] = taps[i];
  result.anchor = (static_cast<std::int64_t>(taps.size() / 2) - 1) * spread;
  if (!transposed) return result;
  std::ranges::reverse(result.weights);
  for (double& weight : result.weights) weight /= 2;
  result.anchor = result.size() - 1 - result.anchor;
  return result;
}

// Bit a of `band`: high along the axis a.
std::size_t addBand(ProgramPart& part, const Wavelet& wavelet, unsigned band, std::int64_t spread, bool transposed,
                    const FilterGrid& grid, std::size_t input) {
  SeparableTerm term;
  for (std::size_t a = 0; a < static_cast<std::size_t>(grid.dimensions); ++a)
    term.axis[a] = spreadTaps((band >> a & 1) != 0 ? wavelet.recHigh : wavelet.recLow, spread, transposed);
  Stencil stencil;
  stencil.terms = {term};
  return part.add(std::move(stencil), {input});
}

// The part of a coefficient that is removed. White noise has its deviation in every band, because the taps of each band
// have the norm 1.
std::string removedText(const OptionValues& values) {
  const std::string threshold = formulaNumber(realOf(values, "sigma") * realOf(values, "threshold"));
  if (textOf(values, "mode") == "soft") return "clamp(c, -" + threshold + ", " + threshold + ")";
  return "if(abs(c) <= " + threshold + ", c, 0)";
}

// D. Donoho, De-noising by soft-thresholding, 1995, on the undecimated transform, which is the mean over all shifts of
// the decimated one (R. Coifman and D. Donoho, Translation-invariant de-noising, 1995). The removed part of the
// coefficients is transformed back and subtracted, so that nothing changes where nothing is removed, whatever the
// values beyond the ends of the data.
ProgramPart makeWaveletDenoise(const OptionValues& values, const FilterGrid& grid) {
  const Wavelet& wavelet = waveletNamed(textOf(values, "wavelet"));
  const auto levels = integerOf(values, "levels");
  const unsigned bands = 1U << grid.dimensions;
  ProgramPart part;
  std::vector<std::vector<std::size_t>> removed;  // of each level's bands, without the averages
  std::size_t averages = kNoisyInput;
  for (std::int64_t level = 0; level < levels; ++level) {
    const std::int64_t spread = std::int64_t{1} << level;
    removed.emplace_back();
    for (unsigned band = 1; band < bands; ++band) {
      const std::size_t c = addBand(part, wavelet, band, spread, false, grid, averages);
      removed.back().push_back(addFormula(part, removedText(values), {{"c", c}}));
    }
    if (level + 1 < levels) averages = addBand(part, wavelet, 0, spread, false, grid, averages);
  }
  std::size_t noise = kNoisyInput;  // of the averages, from the coarsest level down
  for (std::int64_t level = levels; level-- > 0;) {
    const std::int64_t spread = std::int64_t{1} << level;
    const bool first = level + 1 == levels, last = level == 0;
    NamedNodes names;
    std::string sum;
    for (unsigned band = first ? 1 : 0; band < bands; ++band) {
      const std::size_t from = band == 0 ? noise : removed[static_cast<std::size_t>(level)][band - 1];
      names.emplace_back("b" + std::to_string(band), addBand(part, wavelet, band, spread, true, grid, from));
      sum += (sum.empty() ? "" : " + ") + names.back().first;
    }
    names.emplace_back("data", kNoisyInput);
    noise = addFormula(part, last ? "data - (" + sum + ")" : sum, names);
  }
  return part;
}

}  // namespace

FilterFamily waveletDenoiseFamily() {
  Option sigma = realOption("sigma", "Noise", 10, 0, 1e9, "", "Standard deviation of the noise, in units of the data.");
  sigma.sliderMaximum = 100;
  FilterFamily family;
  family.name = "waveletdenoise";
  family.label = "Wavelet denoising";
  family.help = "Removes the small coefficients of an undecimated wavelet transform. Not linear.";
  family.options = {
      sigma,
      realOption("threshold", "Threshold", 3, 0, 10, "sigma",
                 "Coefficients up to this many standard deviations of the noise are removed."),
      choiceOption("mode", "Mode", {"soft", "hard"}, "Larger coefficients lose the threshold, or stay as they are."),
      integerOption("levels", "Levels", 3, 1, 5, "Scales, each twice as coarse as the one before."),
      choiceOption("wavelet", "Wavelet",
                   {"sym4", "haar", "db2", "db3", "db4", "db6", "db8", "sym2", "sym3", "sym6", "sym8"},
                   "Daubechies' (db) or nearly symmetric wavelets (sym), by their vanishing moments."),
  };
  family.make = makeWaveletDenoise;
  family.shares = {{"sigma", 1, 10 / 255.0}};
  return family;
}

}  // namespace sscope
