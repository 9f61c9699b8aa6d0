#pragma once
// What a person says of a file that is wrong or silent about its voxels: part of an input's name, as in
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
  std::array<std::optional<double>, 3> spacing;  // > 0, of the axes that are given
  std::string spacingUnit;                       // of these numbers; empty: that of the data
  std::string unit;                              // what all numbers of the file count; empty: what it says
  std::optional<std::array<double, 3>> origin;   // of the first voxel's center
  std::string originUnit;                        // empty: that of the data, once it is corrected
  std::string axes;                              // what the pages are, the slowest first: "t3zyx"
  bool labels = false;                           // the values name regions

  [[nodiscard]] bool some() const;
  // As part of a name: "axes=t3zyx,spacing=0.1x0.1x0.5um"; parsing it gives the same.
  [[nodiscard]] std::string text() const;
  bool operator==(const Correction&) const = default;
};

// Takes "raw", "spacing", "unit", "origin", "axes" or "labels" with its text. False: no such key. Throws Error(Usage),
// with the form that is wanted, for a text that makes no sense and for a key that was there before. Lists are separated
// by
// "," or "x", one spacing is that of all axes, a unit behind the last number is that of all.
[[nodiscard]] bool takeCorrection(Correction& correction, std::string_view key, const std::string& text);

// Three lengths in the form that spacing and origin take, with all their digits: "0.1,0.1,0.5um".
[[nodiscard]] std::string lengthsText(const std::array<double, 3>& values, const std::string& unit);

// The spacing, unit, origin or axes said by `text` in place of what is said; empty: not corrected. Throws as
// takeCorrection(), and changes nothing then.
void correctOne(Correction& correction, std::string_view key, const std::string& text);

// How the pages of a file, its slices of whatever order, become slices, points in time and channels.
struct PageOrder {
  std::int64_t slices = 1, frames = 1, channels = 1;
  std::string order;  // of 't', 'z' and 'c', the slowest first
};
// Throws Error(Usage) where the numbers do not multiply to the number of pages, two axes have none, or the file tells
// its pages apart itself.
[[nodiscard]] PageOrder pageOrder(const std::string& axes, const std::string& path, const VolumeInfo& info);
// The description of the data once their pages are ordered so.
[[nodiscard]] VolumeInfo arranged(VolumeInfo info, const PageOrder& order);
// Moves the voxels of `info`, as they were read, to their places. Throws Canceled.
void arrange(const VolumeInfo& info, const PageOrder& order, const std::byte* in, std::byte* out,
             const Control& control);

// The description with everything but the axes corrected.
[[nodiscard]] VolumeInfo corrected(VolumeInfo info, const Correction& correction);

}  // namespace sscope
