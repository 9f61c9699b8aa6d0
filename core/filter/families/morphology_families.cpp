#include "core/filter/families/family_rows.h"

#include <functional>

#include "core/filter/families/part_formula.h"

namespace sscope {

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

// The one after the other; the second window is the first mirrored, and these windows are their own mirror images.
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

// What an opening takes away, or a closing fills.
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

}  // namespace sscope
