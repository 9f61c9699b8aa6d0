#pragma once
// The grid that a filter's taps are made for.

#include <array>
#include <string>

#include "core/volume/geometry.h"

namespace sscope {

struct FilterGrid {
  int dimensions = 3;                           // 2: no taps along z
  std::array<double, 3> spacing{1, 1, 1};       // millimeters per voxel, for lengths in millimeters
  bool hasUnit = true;                          // false: the data have no unit of length
  std::array<bool, 3> known{true, true, true};  // whether somebody gave `spacing` along this axis
  double unit = 1;                              // of values, a power of two (core/filter/program/data_unit.h)
  // The first axis along which a length in millimeters means nothing; empty: it means something everywhere.
  [[nodiscard]] std::string withoutLength() const;
  bool operator==(const FilterGrid&) const = default;
};

// The grid of data with this geometry; `dimensions` is 2 for a single slice.
[[nodiscard]] FilterGrid filterGrid(int dimensions, const Geometry& geometry);

}  // namespace sscope
