#pragma once
// The shared model of VolumeViews' four panes. Only VolumeViews modifies it.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <QCoreApplication>
#include <QString>

#include "core/parts/overview.h"
#include "core/volume/line_profile.h"
#include "core/volume/volume.h"
#include "ui/charts/color_scale.h"
#include "ui/views/view_look.h"

namespace sscope {

inline constexpr std::size_t kSourceSide = 0, kResultSide = 1;

struct ViewModel {
  std::shared_ptr<const Volume> source;
  ShownArray sourceArray;  // the same, or its overview
  // For a source larger than memory, without voxels; `exact`: slices with voxels, by the index axis they are normal to.
  std::optional<reach::Overview> overview;
  std::array<std::shared_ptr<const Volume>, 3> exact;
  std::array<std::int64_t, 3> exactAt{-1, -1, -1};
  ShownArray result;
  // By the index axis the slice is normal to: newer than the whole, or read from it on a device.
  std::array<std::shared_ptr<const Volume>, 3> preview;
  std::array<std::int64_t, 3> previewAt{-1, -1, -1};
  std::array<bool, 3> outdated{};  // by the same axis: the slice belongs to an earlier result
  std::array<std::int64_t, 3> crosshair{0, 0, 0};
  int component = 0;     // -1: color
  std::string modality;  // of the source, as VolumeInfo::modality
  bool inSpace = true;   // of the source, as Metadata::inSpace
  std::array<QString, 2> names{QCoreApplication::translate("VolumeViews", "source"),
                               QCoreApplication::translate("VolumeViews", "result")};  // of the sides
  bool linear = true;
  std::array<bool, 2> shown{false, true};  // by side
  std::array<std::array<double, 2>, 2> window{{{0, 1}, {0, 1}}};
  std::array<bool, 2> automatic{true, true};
  // Gray: the 3D view chooses its own levels and colors. Otherwise it uses the color map and window of the slices.
  ColorMap colors = ColorMap::Gray;
  VolumeLook volumeLook;                                             // of the 3D view, while `colors` is gray
  ColorUse sliceColors;                                              // of the slices alone
  CompareLook compare;                                               // of the slices, where both sides are shown
  bool profiling = false;                                            // the mouse draws the line of a profile
  std::optional<ProfileLine> profile;                                // its line
  bool flickered = false;                                            // the flicker shows the source
  std::array<std::shared_ptr<const SliceDifference>, 3> difference;  // by the index axis; null: none
  double differenceRange = 1;                                        // the largest difference with a color of its own
  bool readingLong = false;  // reading slices of the result from its device takes so long that the views show that
  bool plainAxes = false;    // x, y, z instead of a patient's directions; y grows upward

  [[nodiscard]] bool both() const { return shown[kSourceSide] && shown[kResultSide]; }
  // Both sides in one area.
  [[nodiscard]] bool overlaid() const { return both() && compare.how != CompareLook::How::Side; }
  // The side whose window a side uses.
  [[nodiscard]] std::size_t windowSide(std::size_t side) const {
    const bool other = side == kResultSide && overlaid() && compare.oneWindow && automatic[kResultSide];
    return other ? kSourceSide : side;
  }
  [[nodiscard]] bool differs() const { return both() && compare.how == CompareLook::How::Difference; }
  // The values of the first and the last color of a difference.
  [[nodiscard]] std::array<double, 2> differenceWindow() const {
    return {compare.difference == DifferenceKind::Absolute ? 0 : -differenceRange, differenceRange};
  }
  [[nodiscard]] ColorUse differenceColors() const {
    if (compare.difference == DifferenceKind::Absolute) return {ColorMap::Magnitude};
    return {sliceColors.map == ColorMap::CoolWarm ? ColorMap::CoolWarm : ColorMap::Diverging};
  }

  [[nodiscard]] SliceLook sliceLook(std::size_t side) const { return {sliceColors, window[side], !automatic[side]}; }

  // A volume and the index of a slice; volume is null if there is nothing to show. If isExact() is false, the source is
  // the overview.
  struct Slice {
    std::shared_ptr<const Volume> volume;
    std::int64_t at = 0;
    bool operator==(const Slice&) const = default;
  };
  [[nodiscard]] Slice slice(std::size_t side, std::size_t axis) const {
    if (side == kSourceSide && overview)
      return isExact(axis) ? Slice{exact[axis], 0} : Slice{overview->means, crosshair[axis] / overview->block[axis]};
    if (side == kSourceSide) return {source, crosshair[axis]};
    if (preview[axis] && previewAt[axis] == crosshair[axis]) return {preview[axis], 0};
    if (awaited(axis)) return {preview[axis], 0};
    return {result.host, crosshair[axis]};
  }
  // The slice of the source has its voxels, not means of blocks.
  [[nodiscard]] bool isExact(std::size_t axis) const {
    return !overview || (exact[axis] && exactAt[axis] == crosshair[axis]);
  }
  // The slice is being read; the one before is shown meanwhile.
  [[nodiscard]] bool awaited(std::size_t axis) const {
    return result && !result.host && !(preview[axis] && previewAt[axis] == crosshair[axis] && !outdated[axis]);
  }
};

}  // namespace sscope
