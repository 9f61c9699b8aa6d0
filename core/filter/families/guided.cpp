#include "core/filter/families/family_rows.h"

#include "core/filter/families/part_formula.h"
#include "core/filter/families/window_moments.h"

namespace sscope {

namespace {

// K. He, J. Sun, X. Tang, Guided image filtering, 2010: the input as a linear function of the guide in every box, by
// least squares; each voxel has the mean of what the boxes say that it lies in. Their epsilon is contrast^2.
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
                                    "How far the boxes reach from their centers, in voxels or a length (0.8mm)."),
                       contrast},
                      makeGuided};
  family.inputs = {"input", "guide"};
  family.shares = {{"contrast", 0, 10 / 255.0}};
  return family;
}

}  // namespace sscope
