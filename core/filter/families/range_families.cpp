#include "core/filter/families/family_rows.h"

#include "core/filter/option_lengths.h"
#include "core/filter/range_window.h"

namespace sscope {

namespace {

// A standard deviation of values. What suits depends on the data; the default is for those of 8 bits.
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
                               "With radius 0: where the window ends, in standard deviations of distance.");
  truncate.sliderMaximum = 3;
  Option strength = realOption("strength", "Strength", 0.8, 0.05, 20, "noise",
                               "How unlike patches may be and still count, in standard deviations of the noise.");
  strength.sliderMaximum = 3;
  Option search = countOption("search", "Search", 3, 1, kLargestReach, "How far voxels are looked for.");
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
