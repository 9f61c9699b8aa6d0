#pragma once
// The orientation of a slice on the screen.

#include <array>
#include <cstdint>

#include <QString>

#include "core/volume/volume.h"

namespace sscope {

// A slice normal to one index axis, the other two shown across and up. Positions on the screen are in physical units
// measured from the center of the lower left voxel.
struct SlicePlane {
  std::size_t normal = 2, across = 0, up = 1;  // index axes
  bool acrossFlipped = false;                  // the index grows to the left
  bool upFlipped = true;                       // the index grows downward
  std::array<std::int64_t, 3> extent{1, 1, 1};
  std::array<double, 3> spacing{1, 1, 1};
  // Physical letters at the left, right, top and bottom edge ('R' 'L' 'A' 'P'); ' ' for none, as if the unit is not
  // millimeters or the data are flat.
  std::array<char, 4> letters{' ', ' ', ' ', ' '};

  [[nodiscard]] double width() const { return static_cast<double>(extent[across]) * spacing[across]; }
  [[nodiscard]] double height() const { return static_cast<double>(extent[up]) * spacing[up]; }
  // Screen position of an index along `across` (`up`), fractions allowed, and back.
  [[nodiscard]] double acrossOf(double index) const;
  [[nodiscard]] double upOf(double index) const;
  [[nodiscard]] double acrossIndex(double position) const;
  [[nodiscard]] double upIndex(double position) const;
};

// The index axis for each of the three physical axes x, y, z: the sagittal, coronal and axial slices are normal to
// them. A permutation: oblique axes take the nearest free one.
[[nodiscard]] std::array<std::size_t, 3> indexAxesOf(const Geometry& geometry);

// The side of a patient toward which x, y and z grow, as in "LPS" or "RAS"; oblique: only approximately.
struct Orientation {
  QString letters;
  bool oblique = false;
};
[[nodiscard]] Orientation orientationOf(const Geometry& geometry);

// The radiological convention: the patient's left on the right, anterior on top (axial) or left (sagittal), superior on
// top. Images without directions have x to the right and y downward.
[[nodiscard]] SlicePlane slicePlane(std::size_t normal, const VolumeShape& shape, const Geometry& geometry);
// For data that do not show a patient: index axes to the right and upward, labeled at their positive ends.
[[nodiscard]] SlicePlane plainPlane(std::size_t normal, const VolumeShape& shape, const Geometry& geometry);

}  // namespace sscope
