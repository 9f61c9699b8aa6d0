#include <functional>

#include "core/filter/families/family_rows.h"
#include "core/filter/families/part_formula.h"
#include "core/filter/grid.h"
#include "core/filter/range_window.h"

namespace sscope {

namespace {

WindowShape shapeOf(const OptionValues& values) {
  const std::string& name = textOf(values, "shape");
  return name == "box" ? WindowShape::Box : name == "ball" ? WindowShape::Ball : WindowShape::Cross;
}

Option shapeOption() {
  return choiceOption("shape", "Shape", {"box", "ball", "cross"},
                      "All voxels of a box, those of the ball in it, or the axes through its center.");
}

Option sizeOption(std::int64_t smallest, std::int64_t step) {
  Option size = integerOption("size", "Size", 3, smallest, kLargestWindow, "Width of the window.");
  size.unit = "voxels";
  size.step = step;
  return size;
}

}  // namespace

std::vector<FilterFamily> rankFamilies() {
  const Option odd = sizeOption(3, 2), any = sizeOption(1, 1), shape = shapeOption();
  const Option percent =
      realOption("percent", "Percent", 90, 0, 100, "%",
                 "Share of the window's values that do not exceed the result (nearest rank): 50 is the median.");
  std::vector<FilterFamily> families{
      {"median",
       "Median",
       "The median of a window: removes speckles and keeps edges. Not linear.",
       {odd, shape},
       [](const OptionValues& v, const FilterGrid& grid) {
         return medianWindow(shapeOf(v), integerOf(v, "size"), grid.dimensions);
       }},
      {"percentile",
       "Percentile",
       "The value that a share of a window's values does not exceed. Not linear.",
       {percent, odd, shape},
       [](const OptionValues& v, const FilterGrid& grid) {
         return percentileWindow(shapeOf(v), integerOf(v, "size"), grid.dimensions, realOf(v, "percent"));
       }},
      {"minimum",
       "Minimum",
       "The smallest value of a window: an erosion with a flat structuring element. Not linear.",
       {any, shape},
       [](const OptionValues& v, const FilterGrid& grid) {
         return minimumWindow(shapeOf(v), integerOf(v, "size"), grid.dimensions);
       }},
      {"maximum",
       "Maximum",
       "The largest value of a window: a dilation with a flat structuring element. Not linear.",
       {any, shape},
       [](const OptionValues& v, const FilterGrid& grid) {
         return maximumWindow(shapeOf(v), integerOf(v, "size"), grid.dimensions);
       }}};
  for (FilterFamily& family : families) family.results = ResultValues::OfTheData;
  return families;
}

namespace {

constexpr std::size_t kRowInput = ProgramPart::rowInput(0);

RankWindow windowOf(const OptionValues& values, const FilterGrid& grid, bool largest) {
  const std::string& name = textOf(values, "shape");
  const WindowShape shape = name == "box" ? WindowShape::Box : name == "ball" ? WindowShape::Ball : WindowShape::Cross;
  RankWindow window = medianWindow(shape, integerOf(values, "size"), grid.dimensions);
  window.rank = largest ? window.count() - 1 : 0;
  return window;
}

using Make = std::function<ProgramPart(const OptionValues&, const FilterGrid&)>;

Make single(bool largest) {
  return [largest](const OptionValues& values, const FilterGrid& grid) {
    return ProgramPart(windowOf(values, grid, largest));
  };
}

// One operation after the other; the second window is the first mirrored, and these windows are their own mirror
// images.
std::size_t addBoth(ProgramPart& part, const OptionValues& values, const FilterGrid& grid, bool largestFirst) {
  const std::size_t first = part.add(windowOf(values, grid, largestFirst), {kRowInput});
  return part.add(windowOf(values, grid, !largestFirst), {first});
}

Make both(bool largestFirst) {
  return [largestFirst](const OptionValues& values, const FilterGrid& grid) {
    ProgramPart part;
    addBoth(part, values, grid, largestFirst);
    return part;
  };
}

// The difference that an opening removes or a closing fills.
Make rest(bool filled) {
  return [filled](const OptionValues& values, const FilterGrid& grid) {
    ProgramPart part;
    const std::size_t smooth = addBoth(part, values, grid, filled);
    addFormula(part, filled ? "smooth - data" : "data - smooth", {{"smooth", smooth}, {"data", kRowInput}});
    return part;
  };
}

ProgramPart makeMorphGradient(const OptionValues& values, const FilterGrid& grid) {
  ProgramPart part;
  const std::size_t high = part.add(windowOf(values, grid, true), {kRowInput});
  const std::size_t low = part.add(windowOf(values, grid, false), {kRowInput});
  addFormula(part, "high - low", {{"high", high}, {"low", low}});
  return part;
}

}  // namespace

std::vector<FilterFamily> morphologyFamilies() {
  Option size = integerOption("size", "Size", 3, 3, kLargestWindow, "Width of the window.");
  size.unit = "voxels";
  size.step = 2;
  const std::vector<Option> options{
      size, choiceOption("shape", "Shape", {"box", "ball", "cross"},
                         "All voxels of a box, those of the ball in it, or the axes through its center.")};
  std::vector<FilterFamily> families{
      {"erosion", "Erosion", "The smallest value of a window: dark regions grow.", options, single(false)},
      {"dilation", "Dilation", "The largest value of a window: bright regions grow.", options, single(true)},
      {"opening", "Opening", "Erosion, then dilation: removes what is bright and small.", options, both(false)},
      {"closing", "Closing", "Dilation, then erosion: removes what is dark and small.", options, both(true)},
      {"tophat", "Top hat", "What an opening removes: bright and small.", options, rest(false)},
      {"blackhat", "Black hat", "What a closing fills: dark and small.", options, rest(true)},
      {"morphgradient", "Morphological gradient", "Dilation minus erosion: edges.", options, makeMorphGradient},
  };
  for (FilterFamily& family : families)
    family.results =
        family.name == "erosion" || family.name == "dilation" || family.name == "opening" || family.name == "closing"
            ? ResultValues::OfTheData
            : ResultValues::Differences;
  return families;
}

namespace {

// An option for a standard deviation of values. Good values depend on the data; the default suits 8-bit data.
Option valuesOption(const char* name, const char* label, double fallback, const char* help) {
  Option option = realOption(name, label, fallback, kSmallestRange, kLargestRange, "", help);
  option.sliderMinimum = 0.001;
  option.sliderMaximum = 1000;
  option.logarithmic = true;
  return option;
}

Option countOption(const char* name, const char* label, std::int64_t fallback, std::int64_t minimum,
                   std::int64_t maximum, const char* help) {
  Option option = integerOption(name, label, fallback, minimum, maximum, help);
  option.unit = "voxels";
  return option;
}

Operator makeBilateral(const OptionValues& v, const FilterGrid& grid) {
  std::array<double, 3> sigma = voxelsAlongAxes(v, "sigma", grid);
  if (grid.dimensions == 2) sigma[2] = 0;
  return bilateralWindow(sigma, realOf(v, "range"), integerOf(v, "radius"), realOf(v, "truncate"));
}

Operator makeNonLocal(const OptionValues& v, const FilterGrid& grid) {
  return nonLocalWindow(realOf(v, "sigma"), realOf(v, "strength"), integerOf(v, "search"), integerOf(v, "patch"),
                        grid.dimensions);
}

}  // namespace

std::vector<FilterFamily> rangeFamilies() {
  Option truncate = realOption("truncate", "Truncate", 2.5, 1, 8, "sigma",
                               "With radius 0: the end of the window, in standard deviations of distance.");
  truncate.sliderMaximum = 3;
  Option strength = realOption("strength", "Strength", 0.8, 0.05, 20, "noise",
                               "The difference up to which patches count, in standard deviations of the noise.");
  strength.sliderMaximum = 3;
  Option search = countOption("search", "Search", 3, 1, kLargestReach, "The reach of the search for similar voxels.");
  search.sliderMaximum = 10;
  return {{"bilateral",
           "Bilateral",
           "Smooths and keeps edges: a gaussian mean in which unlike values count little. Components one by one.",
           {lengthOption("sigma", "Sigma", 1.5, 0.2, 64, 5,
                         "Standard deviation of distance, in voxels, or in nm, um, mm, cm or m (0.8mm)."),
            valuesOption("range", "Range", 20,
                         "Standard deviation of the difference of values that count as like, in units of the data."),
            countOption("radius", "Radius", 0, 0, kLargestReach, "Half the window beside its center; 0: by truncate."),
            truncate},
           makeBilateral,
           {{"range", 2, 20 / 255.0}}},
          {"nlmeans",
           "Non-local means",
           "Removes noise and keeps texture: a mean of voxels whose surroundings look alike. Components one by one.",
           {valuesOption("sigma", "Noise", 10, "Standard deviation of the noise, in units of the data."), strength,
            search, countOption("patch", "Patch", 1, 1, kLargestPatch, "Half a patch beside its center.")},
           makeNonLocal,
           {{"sigma", 1, 10 / 255.0}}}};
}

}  // namespace sscope
