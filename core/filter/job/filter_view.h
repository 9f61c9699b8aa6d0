#pragma once
// How the Filter room shows its pictures: view settings in addition to those of ViewState.

#include <array>
#include <string>

#include "core/options/settings.h"

namespace sscope {

struct FilterView {
  std::string compare = "side";       // how source and result are shown together: "side" (by side), "swipe", "flicker",
                                      // "checkerboard", "difference"
  std::string difference = "signed";  // "signed", "absolute", "relative"
  double differenceRange = 0;         // the largest difference that has a color of its own; 0: found from the slices
  double divider = 0.5;               // of the swipe, 0 at the left to 1 at the right
  double flickerSeconds = 0.5;        // each picture stays for so long
  int checkerFields = 8;              // along the longer edge of a slice
  std::string colors = "gray";        // "gray", "viridis", "magma", "inferno", "cividis", "blueOrange", "coolWarm"
  bool invert = false;
  double gamma = 1;
  bool profile = false;                    // the line profile is shown
  int profileAxis = 2;                     // 0..2: its line lies in a slice across this axis
  std::array<double, 4> profileLine{};     // both ends: indices along the two other axes; the same twice: no line
  std::string profileSampling = "linear";  // "linear", "nearest"
  std::string profileUnit = "length";      // "length", "voxels"
  std::string profileScale = "common";     // of the values: "common", "own" (each curve over its whole range)
  bool operator==(const FilterView&) const = default;
  [[nodiscard]] static const SettingsTable& table();
};

}  // namespace sscope
