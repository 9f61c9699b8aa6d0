#include "ui/views/slice_plane.h"

#include <cmath>
#include <utility>

namespace sscope {

namespace {

double component(const Geometry& geometry, std::size_t physical, std::size_t axis) {
  return geometry.direction[3 * physical + axis];
}

// Letters toward the growing and the shrinking side of a physical axis in LPS coordinates.
constexpr std::array<std::array<char, 2>, 3> kLetters{{{'L', 'R'}, {'P', 'A'}, {'S', 'I'}}};

}  // namespace

Orientation orientationOf(const Geometry& geometry) {
  constexpr double kStraight = 0.999;
  Orientation found;
  const auto axes = indexAxesOf(geometry);  // by physical axis
  std::array<QChar, 3> letters;
  for (std::size_t physical = 0; physical < 3; ++physical) {
    const double along = component(geometry, physical, axes[physical]);
    letters[axes[physical]] = QLatin1Char(kLetters[physical][along < 0 ? 1 : 0]);
    found.oblique = found.oblique || std::abs(along) < kStraight;
  }
  for (const QChar letter : letters) found.letters += letter;
  return found;
}

std::array<std::size_t, 3> indexAxesOf(const Geometry& geometry) {
  std::array<std::size_t, 3> axes{0, 1, 2};
  std::array<bool, 3> physicalTaken{}, axisTaken{};
  for (int round = 0; round < 3; ++round) {
    double best = -1;
    std::size_t bestPhysical = 0, bestAxis = 0;
    for (std::size_t physical = 0; physical < 3; ++physical)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double size = std::abs(component(geometry, physical, axis));
        if (physicalTaken[physical] || axisTaken[axis] || !(size > best)) continue;
        best = size;
        bestPhysical = physical;
        bestAxis = axis;
      }
    physicalTaken[bestPhysical] = axisTaken[bestAxis] = true;
    axes[bestPhysical] = bestAxis;
  }
  return axes;
}

SlicePlane slicePlane(std::size_t normal, const VolumeShape& shape, const Geometry& geometry) {
  std::array<std::size_t, 3> physicalOf{};
  const auto axes = indexAxesOf(geometry);
  for (std::size_t physical = 0; physical < 3; ++physical) physicalOf[axes[physical]] = physical;

  SlicePlane plane;
  plane.normal = normal;
  plane.across = normal == 0 ? 1 : 0;
  plane.up = normal == 2 ? 1 : 2;
  // The vertical axis is z if possible, else y.
  if (physicalOf[plane.across] > physicalOf[plane.up]) std::swap(plane.across, plane.up);
  plane.extent = {shape.nx, shape.ny, shape.nz};
  plane.spacing = geometry.spacing;

  const auto backward = [&](std::size_t axis) { return component(geometry, physicalOf[axis], axis) < 0; };
  plane.acrossFlipped = backward(plane.across);
  const bool growsDown = physicalOf[plane.up] == 1;  // posterior is at the bottom of an axial slice
  plane.upFlipped = backward(plane.up) != growsDown;

  if (geometry.unit == "mm" && shape.dimensions() == 3) {
    const auto& horizontal = kLetters[physicalOf[plane.across]];
    const auto& vertical = kLetters[physicalOf[plane.up]];
    plane.letters = {horizontal[1], horizontal[0], vertical[growsDown ? 1 : 0], vertical[growsDown ? 0 : 1]};
  }
  return plane;
}

SlicePlane plainPlane(std::size_t normal, const VolumeShape& shape, const Geometry& geometry) {
  SlicePlane plane;
  plane.normal = normal;
  plane.across = normal == 0 ? 1 : 0;
  plane.up = normal == 2 ? 1 : 2;
  plane.upFlipped = false;
  plane.extent = {shape.nx, shape.ny, shape.nz};
  plane.spacing = geometry.spacing;
  plane.letters = {' ', "xyz"[plane.across], "xyz"[plane.up], ' '};
  return plane;
}

namespace {

double position(double index, bool flipped, std::int64_t extent, double spacing) {
  return (flipped ? static_cast<double>(extent - 1) - index : index) * spacing;
}

double indexAt(double position, bool flipped, std::int64_t extent, double spacing) {
  const double index = position / spacing;
  return flipped ? static_cast<double>(extent - 1) - index : index;
}

}  // namespace

double SlicePlane::acrossOf(double index) const {
  return position(index, acrossFlipped, extent[across], spacing[across]);
}
double SlicePlane::upOf(double index) const { return position(index, upFlipped, extent[up], spacing[up]); }
double SlicePlane::acrossIndex(double position) const {
  return indexAt(position, acrossFlipped, extent[across], spacing[across]);
}
double SlicePlane::upIndex(double position) const { return indexAt(position, upFlipped, extent[up], spacing[up]); }

}  // namespace sscope
