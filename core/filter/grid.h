#pragma once
// The grid the taps of filters are made for.

#include <array>

#include "core/volume/geometry.h"

namespace sscope {

struct FilterGrid {
  int dimensions = 3;                      // 2 leaves the z axis alone
  std::array<double, 3> spacing{1, 1, 1};  // millimeters per voxel, for lengths in millimeters
  bool hasUnit = true;                     // false: the data do not say how long their voxels are
};

// The grid of data that lie like this; `dimensions` is 2 for one slice.
[[nodiscard]] FilterGrid filterGrid(int dimensions, const Geometry& geometry);

}  // namespace sscope
