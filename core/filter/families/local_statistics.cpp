#include "core/filter/families/family_rows.h"

#include <cmath>

#include "core/filter/families/part_formula.h"
#include "core/filter/families/tap_limit.h"
#include "core/filter/families/window_moments.h"
#include "core/filter/taps.h"

namespace sscope {

namespace {

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
                        "How far the window reaches from its center, in voxels or a length (0.8mm).");
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
        integerOption("bins", "Bins", kMostEntropyBins, 2, kMostEntropyBins, "How many ranges values are sorted into."),
        edge("low", "Low", 0, "Where the first bin begins; what is below counts as in it."),
        edge("high", "High", 256, "Where the last bin ends; what is above counts as in it.")},
       makeEntropy,
       {{"low", 0, 0, true}, {"high", 0, 1, true}}},
  };
}

}  // namespace sscope
