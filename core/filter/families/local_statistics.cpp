#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/families/family_rows.h"
#include "core/filter/families/part_formula.h"
#include "core/filter/families/tap_design.h"
#include "core/filter/stencil.h"

namespace sscope {

namespace {

// The reach of a box from its center along each axis, in voxels.
using HalfWidths = std::array<std::int64_t, 3>;

struct WindowMoments {
  std::size_t firstMean = 0, secondMean = 0, covariance = 0;
};

// Adds the mean of the box.
std::size_t addWindowMean(ProgramPart& part, std::size_t input, const HalfWidths& half) {
  SeparableTerm term;
  for (std::size_t a = 0; a < 3; ++a)
    if (half[a] > 0) term.axis[a] = boxTaps(2 * half[a] + 1);
  Stencil stencil;
  stencil.terms = {term};
  return part.add(std::move(stencil), {input});
}

std::string neighborAlong(const char* name, std::size_t axis, std::int64_t offset) {
  std::array<int, 3> at{};
  at[axis] = static_cast<int>(offset);
  return neighborText(name, at);
}

std::size_t addLineMean(ProgramPart& part, std::size_t input, std::size_t axis, std::int64_t half) {
  HalfWidths line{};
  line[axis] = half;
  return addWindowMean(part, input, line);
}

// The mean of (a - p) (b - q), or of (a - p)^2, over a line, in squares of the unit.
std::string lineCovariance(std::size_t axis, std::int64_t half, bool same, double unit) {
  std::string sum;
  for (std::int64_t i = -half; i <= half; ++i) {
    const std::string a = scaledText("(" + neighborAlong("a", axis, i) + " - p)", 1 / unit),
                      b = scaledText("(" + neighborAlong("b", axis, i) + " - q)", 1 / unit);
    sum += (sum.empty() ? "" : " + ") + (same ? a + "^2" : a + " * " + b);
  }
  return "(" + sum + ") * " + formulaNumber(1 / static_cast<double>(2 * half + 1));
}

// The whole voxels within a length option along each axis of the grid; 0 along others. Throws Error(Usage) if the box
// is one voxel, or reaches farther than `most`.
HalfWidths halfWidthsOf(const OptionValues& values, const std::string& name, const FilterGrid& grid,
                        std::int64_t most) {
  constexpr double kSlack = 1e-9;  // for lengths that are whole voxels except for rounding
  const auto voxels = voxelsAlongAxes(values, name, grid);
  HalfWidths half{};
  for (std::size_t a = 0; a < static_cast<std::size_t>(grid.dimensions); ++a)
    half[a] = static_cast<std::int64_t>(std::floor(voxels[a] * (1 + kSlack)));
  const std::string given = name + "=" + quoted(values.find(name)->second);
  if (half == HalfWidths{})
    throw Error(ErrorKind::Usage, given + " is less than a voxel along every axis", "choose a longer length");
  if (*std::ranges::max_element(half) > most)
    throw Error(ErrorKind::Usage, given + " is more than " + std::to_string(most) + " voxels on this data",
                "choose a shorter length");
  return half;
}

// Adds the means of two inputs and their covariance, divided by the number of voxels; the variance if both are the
// same. half: at most kFarthestNeighbor, one of them above 0. Line by line, by the law of total covariance: the
// covariance within a box is the mean of those within its lines plus that of the lines' means. Only deviations from
// means are multiplied, so that nothing cancels if the data are far from zero: the rounding of a mean is multiplied
// with deviations. The difference of moments, E[ab] - E[a] E[b], multiplies it with the mean and loses all digits
// there. Where the boundary rule is a constant other than 0, the variance of lines outside is that constant as well, as
// is any row of a bank there.
WindowMoments addCovariance(ProgramPart& part, std::size_t first, std::size_t second, const HalfWidths& half,
                            double unit) {
  const bool same = first == second;
  WindowMoments moments{first, second, 0};
  bool started = false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (half[axis] == 0) continue;
    NamedNodes names{{"a", moments.firstMean}, {"b", moments.secondMean}};
    moments.firstMean = addLineMean(part, moments.firstMean, axis, half[axis]);
    moments.secondMean = same ? moments.firstMean : addLineMean(part, moments.secondMean, axis, half[axis]);
    names.emplace_back("p", moments.firstMean);
    names.emplace_back("q", moments.secondMean);
    std::string text = lineCovariance(axis, half[axis], same, unit);
    if (started) {
      names.emplace_back("within", addLineMean(part, moments.covariance, axis, half[axis]));
      text = "within + " + text;
    }
    moments.covariance = addFormula(part, text, names);
    started = true;
  }
  return moments;
}

constexpr std::size_t kStatisticsInput = ProgramPart::rowInput(0);
constexpr std::int64_t kLargestMean = 31;

// Equal weights for the voxels of a ball, a disk in images, or of the box around it.
ProgramPart makeLocalMean(const OptionValues& values, const FilterGrid& grid) {
  const HalfWidths half = halfWidthsOf(values, "radius", grid, kLargestMean);
  if (textOf(values, "shape") == "box") {
    ProgramPart part;
    addWindowMean(part, kStatisticsInput, half);
    return part;
  }
  const auto radius = voxelsAlongAxes(values, "radius", grid);
  Stencil stencil;
  stencil.dense = limitedTaps({2 * half[0] + 1, 2 * half[1] + 1, 2 * half[2] + 1});
  std::size_t place = 0;
  double count = 0;
  for (std::int64_t z = -half[2]; z <= half[2]; ++z)
    for (std::int64_t y = -half[1]; y <= half[1]; ++y)
      for (std::int64_t x = -half[0]; x <= half[0]; ++x, ++place) {
        constexpr double kEdge = 1 + 1e-9;
        const std::array<double, 3> at{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
        double square = 0;
        for (std::size_t a = 0; a < 3; ++a) square += at[a] * at[a] / (radius[a] * radius[a]);
        if (square > kEdge) continue;
        stencil.dense.weights[place] = 1;
        ++count;
      }
  for (double& weight : stencil.dense.weights) weight /= count;
  return ProgramPart(std::move(stencil));
}

WindowMoments addVariance(ProgramPart& part, const OptionValues& values, const FilterGrid& grid) {
  const HalfWidths half = halfWidthsOf(values, "radius", grid, kFarthestNeighbor);
  return addCovariance(part, kStatisticsInput, kStatisticsInput, half, grid.unit);
}

ProgramPart makeVariance(const OptionValues& values, const FilterGrid& grid) {
  ProgramPart part;
  const WindowMoments moments = addVariance(part, values, grid);
  if (grid.unit != 1)
    addFormula(part, scaledText(scaledText("variance", grid.unit), grid.unit), {{"variance", moments.covariance}});
  return part;
}

ProgramPart makeDeviation(const OptionValues& values, const FilterGrid& grid) {
  ProgramPart part;
  const WindowMoments moments = addVariance(part, values, grid);
  addFormula(part, scaledText("sqrt(max(variance, 0))", grid.unit), {{"variance", moments.covariance}});
  return part;
}

// K. Jarrett et al., What is the best multi-stage architecture for object recognition?, 2009, with equal weights.
ProgramPart makeNormalized(const OptionValues& values, const FilterGrid& grid) {
  ProgramPart part;
  const WindowMoments moments = addVariance(part, values, grid);
  addFormula(part,
             "(data - mean) / (" + scaledText("sqrt(max(variance, 0))", grid.unit) + " + " +
                 formulaNumber(realOf(values, "epsilon")) + ")",
             {{"data", kStatisticsInput}, {"mean", moments.firstMean}, {"variance", moments.covariance}});
  return part;
}

Operator makeEntropy(const OptionValues& values, const FilterGrid& grid) {
  const std::string& name = textOf(values, "shape");
  const WindowShape shape = name == "box" ? WindowShape::Box : name == "ball" ? WindowShape::Ball : WindowShape::Cross;
  return entropyWindow(shape, integerOf(values, "size"), grid.dimensions, integerOf(values, "bins"),
                       realOf(values, "low"), realOf(values, "high"));
}

}  // namespace

std::vector<FilterFamily> localStatisticsFamilies() {
  const auto radius = [](double most) {
    return lengthOption("radius", "Radius", 2, 1, most, 8,
                        "The reach of the window from its center, in voxels or a length (0.8mm).");
  };
  const Option window = radius(static_cast<double>(kFarthestNeighbor));
  Option epsilon = realOption("epsilon", "Epsilon", 1, 1e-9, 1e9, "",
                              "Added to the deviation, so that what is nearly even stays so.");
  epsilon.logarithmic = true;
  epsilon.sliderMinimum = 0.01;
  epsilon.sliderMaximum = 1000;
  Option size = integerOption("size", "Size", 5, 3, kLargestWindow, "Width of the window.");
  size.unit = "voxels";
  size.step = 2;
  const auto edge = [](const char* name, const char* label, double fallback, const char* help) {
    Option option = realOption(name, label, fallback, -1e30, 1e30, "", help);
    option.sliderMinimum = -1024;
    option.sliderMaximum = 4096;
    return option;
  };
  return {
      {"localmean",
       "Local mean",
       "The mean of a ball, a disk in images, or of a box.",
       {radius(kLargestMean), choiceOption("shape", "Shape", {"ball", "box"}, "Which voxels count.")},
       makeLocalMean},
      {"variance", "Local variance", "The variance of a box: where the data are uneven.", {window}, makeVariance},
      {"stddev", "Local deviation", "The standard deviation of a box, in the data's units.", {window}, makeDeviation},
      {"normalize",
       "Contrast normalization",
       "The difference to the mean of a box, in standard deviations of that box.",
       {window, epsilon},
       makeNormalized,
       {{"epsilon", 0, 1 / 255.0}}},
      {"entropy",
       "Local entropy",
       "Bits of information in a value of the window: none where all are equal.",
       {size,
        choiceOption("shape", "Shape", {"box", "ball", "cross"},
                     "All voxels of a box, those of the ball in it, or the axes through its center."),
        integerOption("bins", "Bins", kMostEntropyBins, 2, kMostEntropyBins,
                      "The number of ranges into which values are sorted."),
        edge("low", "Low", 0, "Where the first bin begins; what is below counts as in it."),
        edge("high", "High", 256, "Where the last bin ends; what is above counts as in it.")},
       makeEntropy,
       {{"low", 0, 0, true}, {"high", 0, 1, true}}},
  };
}

namespace {

// K. He, J. Sun, X. Tang, Guided image filtering, 2010: the input as a linear function of the guide in every box, by
// least squares; each voxel gets the mean of the values of all boxes that contain it. Their epsilon is contrast^2.
ProgramPart makeGuided(const OptionValues& values, const FilterGrid& grid) {
  ProgramPart part;
  const std::size_t input = ProgramPart::rowInput(0), guide = ProgramPart::rowInput(1);
  const HalfWidths half = halfWidthsOf(values, "radius", grid, kFarthestNeighbor);
  const double contrast = realOf(values, "contrast") / grid.unit;
  const WindowMoments both = addCovariance(part, guide, input, half, grid.unit);
  const WindowMoments alone = addCovariance(part, guide, guide, half, grid.unit);
  const std::size_t slope =
      addFormula(part, "covariance / (max(variance, 0) + " + formulaNumber(contrast * contrast) + ")",
                 {{"covariance", both.covariance}, {"variance", alone.covariance}});
  const std::size_t offset = addFormula(part, "mean - slope * guide",
                                        {{"mean", both.secondMean}, {"slope", slope}, {"guide", both.firstMean}});
  const NamedNodes names{
      {"slope", addWindowMean(part, slope, half)}, {"offset", addWindowMean(part, offset, half)}, {"guide", guide}};
  addFormula(part, "slope * guide + offset", names);
  return part;
}

}  // namespace

FilterFamily guidedFamily() {
  Option contrast = realOption("contrast", "Contrast", 10, 1e-6, 1e9, "",
                               "Standard deviations of the guide well below this are smoothed, those above are kept.");
  contrast.logarithmic = true;
  contrast.sliderMinimum = 0.01;
  contrast.sliderMaximum = 10000;
  FilterFamily family{"guided",
                      "Guided filter",
                      "Smooths where the guide is even and keeps its edges.",
                      {lengthOption("radius", "Radius", 2, 1, static_cast<double>(kFarthestNeighbor), 8,
                                    "The reach of the boxes from their centers, in voxels or a length (0.8mm)."),
                       contrast},
                      makeGuided};
  family.inputs = {"input", "guide"};
  family.shares = {{"contrast", 0, 10 / 255.0}};
  return family;
}

}  // namespace sscope
