#include "core/filter/families/family_rows.h"

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

}  // namespace sscope
