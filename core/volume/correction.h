#pragma once
// Corrections by the user for a file with wrong or missing information about its voxels: part of an input's name, as in
// "stack.tif@axes=t3zyx,spacing=0.1x0.1x0.5um", so that every program, session and capsule carries it.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/control.h"
#include "core/volume/geometry.h"
#include "core/volume/raw_layout.h"
#include "core/volume/volume_io.h"

namespace sscope {

struct Correction {
  std::optional<RawLayout> raw;                  // the file has no header
  std::array<std::optional<double>, 3> spacing;  // > 0, of the corrected axes
  std::string spacingUnit;                       // of `spacing`; empty: that of the data
  std::string unit;                              // of all numbers of the file; empty: the file's own
  std::optional<std::array<double, 3>> origin;   // of the first voxel's center
  std::string originUnit;                        // empty: that of the corrected data
  std::string axes;                              // of the pages, the slowest first: "t3zyx"
  bool labels = false;                           // the values name regions

  [[nodiscard]] bool some() const;
  // As part of a name: "axes=t3zyx,spacing=0.1x0.1x0.5um"; parsing it gives the same.
  [[nodiscard]] std::string text() const;
  bool operator==(const Correction&) const = default;
};

// Takes "raw", "spacing", "unit", "origin", "axes" or "labels" with its text. False: no such key. Throws Error(Usage),
// with the accepted form, for invalid text and for a key that was given before. Lists are separated by "," or "x"; a
// single spacing is that of all axes; a unit after the last number is that of all.
[[nodiscard]] bool takeCorrection(Correction& correction, std::string_view key, const std::string& text);

// Three lengths in the form that spacing and origin take, with all their digits: "0.1,0.1,0.5um".
[[nodiscard]] std::string lengthsText(const std::array<double, 3>& values, const std::string& unit);

// Replaces the correction of spacing, unit, origin or axes by `text`; empty: removes it. Throws as takeCorrection(),
// and then changes nothing.
void correctOne(Correction& correction, std::string_view key, const std::string& text);

// The order in which the pages of a file are slices, frames and channels.
struct PageOrder {
  std::int64_t slices = 1, frames = 1, channels = 1;
  std::string order;  // of 't', 'z' and 'c', the slowest first
};
// Throws Error(Usage) if the product of the extents is not the number of pages, two axes have no extent, or the file
// names its axes itself.
[[nodiscard]] PageOrder pageOrder(const std::string& axes, const std::string& path, const VolumeInfo& info);
// The description of the data in this order.
[[nodiscard]] VolumeInfo arranged(VolumeInfo info, const PageOrder& order);
// Moves the voxels of `info`, as they were read, to their places. Throws Canceled.
void arrange(const VolumeInfo& info, const PageOrder& order, const std::byte* in, std::byte* out,
             const Control& control);

// The description with everything but the axes corrected.
[[nodiscard]] VolumeInfo corrected(VolumeInfo info, const Correction& correction);

}  // namespace sscope
