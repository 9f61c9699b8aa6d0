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
#include "ui/views/compare_look.h"
#include "ui/views/shown_array.h"
#include "ui/views/volume_look.h"

namespace sscope {

inline constexpr std::size_t kSourceSide = 0, kResultSide = 1;

struct ViewModel {
  std::shared_ptr<const Volume> source;
  ShownArray sourceArray;  // the same, or its overview
  // Of a source larger than memory, whose voxels are not there; but for slices by the index axis they are normal to.
  std::optional<reach::Overview> overview;
  std::array<std::shared_ptr<const Volume>, 3> exact;
  std::array<std::int64_t, 3> exactAt{-1, -1, -1};
  ShownArray result;
  // By the index axis the slice is normal to: newer than the whole, or read from it where it lives on a device.
  std::array<std::shared_ptr<const Volume>, 3> preview;
  std::array<std::int64_t, 3> previewAt{-1, -1, -1};
  std::array<bool, 3> outdated{};  // by the same axis: the slice is of another result than the present one
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
  double differenceRange = 1;  // the largest difference that has a color of its own
  bool readingLong = false;    // slices of the result have been asked of its device for so long that the views say so
  bool plainAxes = false;      // x, y, z instead of a patient's directions; y grows upward

  [[nodiscard]] bool both() const { return shown[kSourceSide] && shown[kResultSide]; }
  // Both sides at one place.
  [[nodiscard]] bool overlaid() const { return both() && compare.how != CompareLook::How::Side; }
  // Whose window a side takes.
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

  // A volume and the index of a slice; volume is null if there is nothing to show. Where isExact() is false the
  // source's is the overview.
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
  // The slice of the source has its own voxels, and no means of blocks.
  [[nodiscard]] bool isExact(std::size_t axis) const {
    return !overview || (exact[axis] && exactAt[axis] == crosshair[axis]);
  }
  // The slice is being read: the one before it stands meanwhile.
  [[nodiscard]] bool awaited(std::size_t axis) const {
    return result && !result.host && !(preview[axis] && previewAt[axis] == crosshair[axis] && !outdated[axis]);
  }
};

}  // namespace sscope
