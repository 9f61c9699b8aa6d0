#pragma once
// What the views show and how: arrays, the comparison in slices, and the modes, transfer functions and levels of the 3D
// view.

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/resident_array.h"
#include "core/volume/data_kind.h"
#include "core/volume/geometry.h"
#include "core/volume/slice_difference.h"
#include "core/volume/transfer_curve.h"
#include "core/volume/volume.h"
#include "ui/charts/color_scale.h"

namespace sscope {

enum class VolumeMode {
  Composite,  // every value with its color and opacity
  Maximum,    // along every ray, as the next two
  Average,    // without the background
  Minimum,
  Surface,  // an isosurface
};

// Looks that are not presets.
inline constexpr const char *kAutoLook = "auto", *kOwnLook = "own";

struct VolumeLook {
  VolumeMode mode = VolumeMode::Composite;
  bool linked = true;  // uses the colors of the slices, and their windows if they were chosen
  std::array<std::string, 2> preset{kAutoLook, kAutoLook};  // by side
  std::array<std::vector<TransferPoint>, 2> own;            // if `preset` is kOwnLook
  std::array<std::optional<double>, 2> level;               // of the isosurface; empty: startLevel()
  bool bothSigns = true;                                    // for signed data, also the surface of the other sign
  std::array<double, 6> crop{0, 1, 0, 1, 0, 1};             // begin and end of each index axis as shares of it
  bool operator==(const VolumeLook&) const = default;
};

// Colors and window of a side in the slices.
struct SliceLook {
  ColorUse colors;
  std::array<double, 2> window{0, 1};
  bool chosen = false;  // the window, by the user
  bool operator==(const SliceLook&) const = default;
};

// Properties of one side's data, found when its brick was made.
struct VolumeInsight {
  LevelCounts levels;
  FoundKind found;
};

// The preset of a side; for kAutoLook, kOwnLook and unknown names that of the kind of data.
[[nodiscard]] const TransferPreset& presetOf(const VolumeLook& look, std::size_t side, const VolumeInsight& insight);
// The curve of volume rendering: the user's own points, or the preset. A linked preset has the colors of the slices,
// unless they are plain gray, and is clear outside their chosen window.
[[nodiscard]] TransferCurve compositeCurve(const VolumeLook& look, std::size_t side, const VolumeInsight& insight,
                                           const SliceLook& slices);
// The curve of the side in the look's mode: projections have the colors of the slices over their window and a clear
// background.
[[nodiscard]] TransferCurve shownCurve(const VolumeLook& look, std::size_t side, const VolumeInsight& insight,
                                       const SliceLook& slices);
[[nodiscard]] double surfaceLevel(const VolumeLook& look, std::size_t side, const VolumeInsight& insight);
// That level, and for signed data that of the other sign, unless look.bothSigns is false.
[[nodiscard]] std::vector<double> surfaceLevels(const VolumeLook& look, std::size_t side, const VolumeInsight& insight);
// The color of the surface with this level.
[[nodiscard]] Rgb surfaceColor(const VolumeLook& look, std::size_t side, const VolumeInsight& insight,
                               const SliceLook& slices, double level);
// "HU" for Hounsfield units; else empty.
[[nodiscard]] std::string valueUnit(const VolumeInsight& insight);

// How slices show source and result together.
struct CompareLook {
  enum class How { Side, Swipe, Flicker, Checkerboard, Difference };
  How how = How::Side;
  DifferenceKind difference = DifferenceKind::Signed;
  std::optional<double> range;  // the largest difference with a color of its own; empty: found from the slices
  double divider = 0.5;         // of the swipe, as a share of a view's width
  double seconds = 0.5;         // of the flicker, for each picture
  int fields = 8;               // of the checkerboard, along the longer edge of a slice
  bool oneWindow = false;       // overlaid results with an automatic window use that of the source
  bool operator==(const CompareLook&) const = default;
};

// Color and opacity of the levels of a brick.
struct TransferFunction {
  struct Color {
    double level;
    std::array<double, 3> rgb;
    bool operator==(const Color&) const = default;
  };
  struct Opacity {
    double level;
    double opacity;  // over a hundredth of the brick's diagonal
    bool operator==(const Opacity&) const = default;
  };
  std::vector<Color> colors;
  std::vector<Opacity> opacities;
  bool shaded = true;
  // No interpolation between voxels: for labels, and for angles, whose first and last level are neighbors.
  bool nearest = false;
  bool operator==(const TransferFunction&) const = default;
};

[[nodiscard]] TransferFunction ofLevels(const TransferCurve& curve, const LevelCounts& levels);
// The colors of a map. Values far from the background are dense: the bright end of magnitudes, both ends of a diverging
// map; angles are equally transparent everywhere.
[[nodiscard]] TransferFunction mappedTransferFunction(ColorMap map);

// Data in the views, in host memory or on a device.
struct ShownArray {
  std::shared_ptr<ResidentArray> array;  // null: no data
  std::shared_ptr<const Volume> host;    // the same in host memory; null: it is on a device
  Geometry geometry;

  ShownArray() = default;
  ShownArray(std::nullptr_t) {}
  ShownArray(std::shared_ptr<const Volume> volume) {
    if (!volume) return;
    array = hostArray({}, volume);
    geometry = volume->geometry();
    host = std::move(volume);
  }
  ShownArray(std::shared_ptr<ResidentArray> from, const Geometry& of) : array(std::move(from)), geometry(of) {
    if (array && array->deviceBytes() == 0) host = array->host({});  // it is in host memory
  }
  explicit operator bool() const { return array != nullptr; }
};

}  // namespace sscope
