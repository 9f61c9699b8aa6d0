#pragma once
// How the 3D view of the Filter room shows its volumes.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/options/settings.h"
#include "core/volume/transfer_curve.h"

namespace sscope {

struct VolumeSettings {
  bool panel = false;           // its panel is shown
  std::string mode = "volume";  // "volume", "maximum", "average", "minimum", "surface"
  bool linked = true;           // takes colors and window of the slices
  // "auto", a TransferPreset's name or "own": the points below. Unknown ones are as "auto".
  std::string sourcePreset = "auto", resultPreset = "auto";
  std::vector<TransferPoint> sourcePoints, resultPoints;
  std::optional<double> sourceLevel, resultLevel;  // of the isosurface; empty: found from the data
  bool bothSigns = true;                           // data of both signs also have the surface of the other sign
  // The part that is shown, in percent of each index axis.
  double cropX0 = 0, cropX1 = 100, cropY0 = 0, cropY1 = 100, cropZ0 = 0, cropZ1 = 100;
  bool operator==(const VolumeSettings&) const = default;
  [[nodiscard]] static const SettingsTable& table();
};

}  // namespace sscope
