#include "core/filter/families/axis_families.h"

#include <array>

#include "core/base/error.h"
#include "core/filter/families/axis_designs.h"
#include "core/filter/families/part_formula.h"
#include "core/filter/option_axis.h"
#include "core/filter/taps.h"

namespace sscope {

namespace {

constexpr int kHighestOrder = 4, kHighestDegree = 6;

std::array<int, 3> ordersOf(const OptionValues& values, const FilterGrid& grid) {
  const std::array<int, 3> orders{static_cast<int>(integerOf(values, "order_x")),
                                  static_cast<int>(integerOf(values, "order_y")),
                                  static_cast<int>(integerOf(values, "order_z"))};
  if (grid.dimensions == 2 && orders[2] != 0)
    throw Error(ErrorKind::Usage, "order_z needs a volume, and this image has one slice", "set order_z=0");
  return orders;
}

// One product of what `design` gives for each axis of the grid.
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

Stencil makeDerivative(const OptionValues& values, const FilterGrid& grid) {
  constexpr double kNarrowest = 0.5;
  const auto orders = ordersOf(values, grid);
  const auto sigma = voxelsAlongAxes(values, "sigma", grid);
  Stencil stencil;
  stencil.terms = {termOf(grid, [&](std::size_t a) {
    if (sigma[a] < kNarrowest)
      throw Error(ErrorKind::Usage, "sigma is less than half a voxel along an axis", "choose a longer one");
    return gaussianDerivativeTaps(sigma[a], orders[a], realOf(values, "truncate"));
  })};
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
  const auto order = [](const char* name, const char* label) {
    return integerOption(name, label, 0, 0, kHighestOrder, "Order of the derivative along this axis.");
  };
  const Option orders[]{order("order_x", "Order x"), order("order_y", "Order y"), order("order_z", "Order z")};
  Option size = integerOption("size", "Size", 5, 3, 63, "Values along each axis that a polynomial is fitted to.");
  size.unit = "voxels";
  size.step = 2;
  size.sliderMaximum = 31;
  Option first = orders[0];
  first.fallback = std::int64_t{1};
  Option radius = integerOption("radius", "Radius", 7, 1, 63, "How far the taps reach: longer is sharper.");
  radius.unit = "voxels";
  radius.step = 2;
  radius.sliderMaximum = 31;
  const Option window =
      choiceOption("window", "Window", {"hamming", "hann", "blackman"}, "What the ideal taps are cut off with.");
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
      {"derivative",
       "Gaussian derivative",
       "Derivatives of gaussians up to fourth order along each axis.",
       {lengthOption("sigma", "Sigma", 1.0, 0.5, 64, 8, "Standard deviation, in voxels or a length (0.8mm)."), first,
        orders[1], orders[2], radiusOption()},
       makeDerivative},
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
