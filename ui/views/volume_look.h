#pragma once
// How the 3D view shows volumes: its kind, transfer functions, levels and the part that is shown.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/volume/data_kind.h"
#include "core/volume/transfer_curve.h"
#include "ui/charts/color_scale.h"

namespace sscope {

enum class VolumeMode {
  Composite,  // every value with its color and opacity
  Maximum,    // along every ray, as the next two
  Average,    // of what is not background
  Minimum,
  Surface,  // an isosurface
};

// Looks that are no preset's.
inline constexpr const char *kAutoLook = "auto", *kOwnLook = "own";

struct VolumeLook {
  VolumeMode mode = VolumeMode::Composite;
  bool linked = true;  // to the slices: takes their colors and windows where they were chosen
  std::array<std::string, 2> preset{kAutoLook, kAutoLook};  // by side
  std::array<std::vector<TransferPoint>, 2> own;            // where `preset` is kOwnLook
  std::array<std::optional<double>, 2> level;               // of the isosurface; empty: startLevel()
  bool bothSigns = true;                                    // of data of both signs also the surface of the other sign
  std::array<double, 6> crop{0, 1, 0, 1, 0, 1};             // begin and end of each index axis as shares of it
  bool operator==(const VolumeLook&) const = default;
};

// What the slices show a side with.
struct SliceLook {
  ColorUse colors;
  std::array<double, 2> window{0, 1};
  bool chosen = false;  // the window, by hand
  bool operator==(const SliceLook&) const = default;
};

// What was found about one side's data when its brick was made.
struct VolumeInsight {
  LevelCounts levels;
  FoundKind found;
};

// The preset of a side; that of the kind of the data for kAutoLook, kOwnLook and unknown ones.
[[nodiscard]] const TransferPreset& presetOf(const VolumeLook& look, std::size_t side, const VolumeInsight& insight);
// The curve of volume rendering: own points as they are, or the preset with the colors of the slices where they are
// linked and not plain gray, and clear where a chosen window of theirs ends.
[[nodiscard]] TransferCurve compositeCurve(const VolumeLook& look, std::size_t side, const VolumeInsight& insight,
                                           const SliceLook& slices);
// The curve that the side is drawn with in the look's mode: projections have the colors of the slices over their
// window; what is background there is clear.
[[nodiscard]] TransferCurve shownCurve(const VolumeLook& look, std::size_t side, const VolumeInsight& insight,
                                       const SliceLook& slices);
[[nodiscard]] double surfaceLevel(const VolumeLook& look, std::size_t side, const VolumeInsight& insight);
// That level, and of data of both signs the one of the other sign, unless one alone is wanted.
[[nodiscard]] std::vector<double> surfaceLevels(const VolumeLook& look, std::size_t side, const VolumeInsight& insight);
// Of the surface with this level.
[[nodiscard]] Rgb surfaceColor(const VolumeLook& look, std::size_t side, const VolumeInsight& insight,
                               const SliceLook& slices, double level);
// "HU" for Hounsfield units; else empty.
[[nodiscard]] std::string valueUnit(const VolumeInsight& insight);

}  // namespace sscope
