#include "core/filter/job/filter_view.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace sscope {

namespace {

using Line = std::array<double, 4>;

void writeLine(const Line& line, nlohmann::json& json) { json = line; }

void readLine(Line& line, const nlohmann::json& json) {
  const bool good = json.is_array() && json.size() == line.size() &&
                    std::ranges::all_of(json, [](const auto& each) { return each.is_number(); });
  if (!good)
    throw Error(ErrorKind::BadData, "\"profileLine\" must hold four numbers", "repair the session or leave it out");
  line = json.get<Line>();
}

}  // namespace

const SettingsTable& FilterView::table() {
  using S = FilterView;
  static const SettingsTable made =
      SettingsOf<S>("filter view", "view", "filter", "Filter")
          .choice("compare", "comparison", &S::compare, {"side", "swipe", "flicker", "checkerboard", "difference"})
          .titles({{"side", "side by side", "Source and result next to each other"},
                   {"swipe", "swipe",
                    "The source left of a divider, the result right of it: drag it, or Shift+Left and "
                    "Shift+Right"},
                   {"flicker", "flicker", "Source and result in turn at the same place"},
                   {"checkerboard", "checkerboard", "Source and result in turn from field to field"},
                   {"difference", "difference", "The result minus the source, with its norms"}})
          .shown("", "How source and result are compared")
          .choice("difference", "difference", &S::difference, {"signed", "absolute", "relative"})
          .titles({{"signed", "signed", "Result minus source, in the unit of the data"},
                   {"absolute", "absolute", "Magnitude of result minus source"},
                   {"relative", "relative", "Result minus source, divided by the magnitude of the source"}})
          .shown("", "Kind of difference")
          .real("differenceRange", "range of the difference", &S::differenceRange, 0, 1e300)
          .real("divider", "divider", &S::divider, 0, 1)
          .group("colors")
          .choice("colors", "colors", &S::colors,
                  {"gray", "viridis", "magma", "inferno", "cividis", "blueOrange", "coolWarm"})
          .titles({{"gray", "gray"},
                   {"viridis", "viridis"},
                   {"magma", "magma"},
                   {"inferno", "inferno"},
                   {"cividis", "cividis"},
                   {"blueOrange", "blue and orange, dark middle"},
                   {"coolWarm", "blue and red, light middle"}})
          .help("Colors of the slices; those with two ends are for data of both signs")
          .truth("invert", "inversion", &S::invert)
          .shown("Invert")
          .help("The last color for the lowest value (I)")
          .real("gamma", "gamma", &S::gamma, 0.1, 10)
          .slider(0.2, 3, 0.05)
          .step(0.1)
          .help(
              "The color of a value is that of its share of the window to the power of 1/gamma: above 1 dark parts "
              "become brighter")
          .group("comparison")
          .real("flickerSeconds", "time of the flicker", &S::flickerSeconds, 0.2, 10)
          .slider(0.2, 2, 0.1)
          .step(0.1)
          .unit("s")
          .shown("Flicker", "How long each picture stays")
          .help("How long source and result stay in turn")
          .whole("checkerFields", "number of fields", &S::checkerFields, 2, 64)
          .slider(2, 32, 1)
          .step(1)
          .shown("Fields", "Fields of the checkerboard")
          .help("Fields of the checkerboard along the longer edge of a slice")
          .group("profile")
          .truth("profile", "line profile", &S::profile)
          .whole("profileAxis", "axis of the line profile", &S::profileAxis, 0, 2)
          .other("profileLine", "line of the profile", &S::profileLine, writeLine, readLine)
          .choice("profileSampling", "values of the line profile", &S::profileSampling, {"linear", "nearest"})
          .titles({{"linear", "linear", "Linear between voxels; trilinear, as the line lies in a slice"},
                   {"nearest", "nearest", "The values of the nearest voxels"}})
          .shown("", "Values of the line profile between voxels")
          .choice("profileUnit", "unit of the line profile", &S::profileUnit, {"length", "voxels"})
          .titles(
              {{"length", "length", "Distances in the unit of the data"}, {"voxels", "voxels", "Distances in voxels"}})
          .shown("", "Unit of distances in the line profile")
          .choice("profileScale", "scale of the line profile", &S::profileScale, {"common", "own"})
          .titles({{"common", "one scale", "All curves have the values of the data"},
                   {"own", "own scales", "Each curve is stretched over its own range, to compare shapes"}})
          .shown("", "Scale of values in the line profile")
          .table();
  return made;
}

}  // namespace sscope
