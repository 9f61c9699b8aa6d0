#include "core/filter/job/volume_settings.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace sscope {

namespace {

using Points = std::vector<TransferPoint>;
using SetLevel = std::optional<double>;

void writePoints(const Points& points, nlohmann::json& json) { json = toJson(points); }
void readPoints(Points& points, const nlohmann::json& json) { points = pointsFromJson(json); }

void writeLevel(const SetLevel& level, nlohmann::json& json) { json = level ? nlohmann::json(*level) : nlohmann::json(); }
void readLevel(SetLevel& level, const nlohmann::json& json) {
  if (!json.is_number() || !std::isfinite(json.get<double>()))
    throw Error(ErrorKind::BadData, "the level of an isosurface is not a number", "repair the session or omit it");
  level = json.get<double>();
}

}  // namespace

const SettingsTable& VolumeSettings::table() {
  using S = VolumeSettings;
  static const SettingsTable made = [] {
    SettingsOf<S> of("volume view", "volumeView", "filter", "Filter");
    of.truth("panel", "panel of the 3D view", &S::panel)
        .choice("mode", "kind of the 3D view", &S::mode, {"volume", "maximum", "average", "minimum", "surface"})
        .titles(
            {{"volume", "volume", "Every value with its color and opacity, lit"},
             {"maximum", "maximum", "The largest value along every ray (maximum intensity projection)"},
             {"average", "average", "The mean along every ray, in which the background counts as zero, as of X-rays"},
             {"minimum", "minimum", "The smallest value of the object along every ray, without what surrounds it"},
             {"surface", "isosurface", "The surface on which the values are those of a level"}})
        .shown("", "Kind of the 3D view")
        .truth("linked", "link of the 3D view to the slices", &S::linked)
        .shown("Colors of the slices", "The 3D view takes colors and window of the slices")
        .help(
            "The 3D view takes the color map, inversion, gamma and window that were chosen for the slices; points of "
            "your own keep their colors")
        .text("sourcePreset", "look of the source in 3D", &S::sourcePreset)
        .text("resultPreset", "look of the result in 3D", &S::resultPreset)
        .other("sourcePoints", "transfer function of the source", &S::sourcePoints, writePoints, readPoints)
        .other("resultPoints", "transfer function of the result", &S::resultPoints, writePoints, readPoints)
        .other("sourceLevel", "level of the isosurface", &S::sourceLevel, writeLevel, readLevel)
        .other("resultLevel", "level of the isosurface", &S::resultLevel, writeLevel, readLevel)
        .truth("bothSigns", "isosurface of both signs", &S::bothSigns)
        .shown("Both signs", "The isosurface of the other sign as well")
        .help("Of data of both signs also the surface with the other sign, in its color")
        .group("crop");
    const auto edge = [&](const char* name, const char* label, double S::*member) {
      of.real(name, label, member, 0, 100)
          .slider(0, 100, 1)
          .step(1)
          .unit("%")
          .help("Cuts the volume of the 3D view, in percent of the axis");
    };
    edge("cropX0", "begin along x in 3D", &S::cropX0);
    edge("cropX1", "end along x in 3D", &S::cropX1);
    edge("cropY0", "begin along y in 3D", &S::cropY0);
    edge("cropY1", "end along y in 3D", &S::cropY1);
    edge("cropZ0", "begin along z in 3D", &S::cropZ0);
    edge("cropZ1", "end along z in 3D", &S::cropZ1);
    return of.table();
  }();
  return made;
}

}  // namespace sscope
