#include "core/filter/families/family_rows.h"

#include <array>

#include "core/base/error.h"
#include "core/filter/families/part_formula.h"
#include "core/filter/families/tap_design.h"
#include "core/filter/grid.h"
#include "core/filter/stencil.h"

namespace sscope {

namespace {

constexpr int kHighestDegree = 6;

// One product of the taps that `design` gives for each axis of the grid.
template <class Design>
SeparableTerm termOf(const FilterGrid& grid, Design&& design) {
  SeparableTerm term;
  for (std::size_t a = 0; a < static_cast<std::size_t>(grid.dimensions); ++a) term.axis[a] = design(a);
  return term;
}

Stencil makeSavitzkyGolay(const OptionValues& values, const FilterGrid& grid) {
  const auto orders = ordersOf(values, grid);
  const auto half = integerOf(values, "size") / 2;
  const auto degree = static_cast<int>(integerOf(values, "degree"));
  if (degree > 2 * half)
    throw Error(ErrorKind::Usage,
                "a polynomial of degree " + std::to_string(degree) +
                    " does not follow from size=" + std::to_string(2 * half + 1) + " values",
                "choose a larger size or a lower degree");
  for (const int order : orders)
    if (order > degree)
      throw Error(ErrorKind::Usage,
                  "the derivative of order " + std::to_string(order) + " of a polynomial of degree " +
                      std::to_string(degree) + " is zero",
                  "choose a higher degree");
  Stencil stencil;
  stencil.terms = {termOf(grid, [&](std::size_t a) { return fittedPolynomialTaps(half, degree, orders[a]); })};
  return stencil;
}

SeparableTerm lowpassTerm(const OptionValues& values, const FilterGrid& grid, double cutoff, double factor) {
  const AxisTaps taps = lowpassTaps(cutoff, integerOf(values, "radius"), textOf(values, "window"));
  SeparableTerm term = termOf(grid, [&](std::size_t) { return taps; });
  term.axis[0] = scaled(std::move(term.axis[0]), factor);
  return term;
}

Stencil makeLowpass(const OptionValues& values, const FilterGrid& grid) {
  Stencil stencil;
  stencil.terms = {lowpassTerm(values, grid, realOf(values, "cutoff"), 1)};
  return stencil;
}

Stencil makeHighpass(const OptionValues& values, const FilterGrid& grid) {
  Stencil stencil;
  stencil.terms = {SeparableTerm{}, lowpassTerm(values, grid, realOf(values, "cutoff"), -1)};
  return stencil;
}

Stencil makeBandpass(const OptionValues& values, const FilterGrid& grid) {
  const double low = realOf(values, "low"), high = realOf(values, "high");
  if (low >= high)
    throw Error(ErrorKind::Usage,
                "the band from low=" + formatOption(low) + " to high=" + formatOption(high) + " is empty",
                "choose a lower low");
  Stencil stencil;
  stencil.terms = {lowpassTerm(values, grid, high, 1), lowpassTerm(values, grid, low, -1)};
  return stencil;
}

Stencil makeHilbert(const OptionValues& values, const FilterGrid& grid) {
  const std::size_t axis = axisOf(values, grid);
  SeparableTerm term;
  term.axis[axis] = hilbertTaps(integerOf(values, "radius"), textOf(values, "window"));
  Stencil stencil;
  stencil.terms = {term};
  return stencil;
}

}  // namespace

std::vector<FilterFamily> axisFamilies() {
  const std::array<Option, 3> orders = orderOptions();
  Option size = integerOption("size", "Size", 5, 3, 63, "Values along each axis that a polynomial is fitted to.");
  size.unit = "voxels";
  size.step = 2;
  size.sliderMaximum = 31;
  Option radius = integerOption("radius", "Radius", 7, 1, 63, "The reach of the taps: longer is sharper.");
  radius.unit = "voxels";
  radius.step = 2;
  radius.sliderMaximum = 31;
  const Option window =
      choiceOption("window", "Window", {"hamming", "hann", "blackman"}, "The window that cuts off the ideal taps.");
  const auto frequency = [](const char* name, const char* label, double fallback, const char* help) {
    return realOption(name, label, fallback, 0.005, 0.5, "cycles per voxel", help);
  };
  const Option cutoff = frequency("cutoff", "Cutoff", 0.2, "The frequency along each axis that is halved.");
  return {
      {"savgol",
       "Savitzky-Golay",
       "Smooths, or takes derivatives of, the polynomials that fit best around each voxel.",
       {size, integerOption("degree", "Degree", 2, 0, kHighestDegree, "Of the polynomials."), orders[0], orders[1],
        orders[2]},
       makeSavitzkyGolay},
      {"lowpass",
       "Low pass",
       "Keeps frequencies below the cutoff along every axis.",
       {cutoff, radius, window},
       makeLowpass},
      {"highpass", "High pass", "The data less their low pass.", {cutoff, radius, window}, makeHighpass},
      {"bandpass",
       "Band pass",
       "One low pass less a lower one.",
       {frequency("low", "Low", 0.1, "Where the band begins."), frequency("high", "High", 0.25, "Where it ends."),
        radius, window},
       makeBandpass},
      {"hilbert",
       "Hilbert transform",
       "Turns every wave along one axis by a quarter of its length.",
       {choiceOption("axis", "Axis", {"x", "y", "z"}, "Direction of the lines."), radius, window},
       makeHilbert},
  };
}

}  // namespace sscope
