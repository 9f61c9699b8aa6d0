#pragma once
// The grid that a filter's taps are made for, and the axis and lengths among a family's options on that grid.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/options/option.h"
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

// The axis among a family's options.

// 0 to 2 of the option "axis", whose values are x, y and z. Throws Error(Usage) for z where the grid has two axes.
[[nodiscard]] std::size_t axisOf(const OptionValues& values, const FilterGrid& grid);

// Lengths among a family's options, in voxels of the grid that its operator is made for.

// Throws Error(Usage) where lengths mean nothing along an axis of the grid: `what` is then refused, and the remedies
// are to give the spacing, or `instead`.
void requireLengths(const std::string& what, const FilterGrid& grid, const std::string& instead);

// Of the option `name` along each axis. Throws Error(Usage) for millimeters where the data do not say how long a voxel
// is, and for more than 64 voxels.
[[nodiscard]] std::array<double, 3> voxelsAlongAxes(const OptionValues& values, std::string_view name,
                                                    const FilterGrid& grid);

// Whether the option `name` is in millimeters, not in voxels.
[[nodiscard]] bool isLength(const OptionValues& values, std::string_view name);

// Option "voxels" of families without lengths: "cubes", or "spacing", by which differences along the longer edges of a
// voxel count less. Others declare one of this name with words and a default of their own.
inline constexpr const char* kVoxelShape = "voxels";
[[nodiscard]] Option voxelShapeOption();
// The edges of a voxel in units of the shortest one; voxelEdges(): 1 for cubes, and throws Error(Usage) where nobody
// gave an edge.
[[nodiscard]] std::array<double, 3> edgeRatios(const FilterGrid& grid);
[[nodiscard]] std::array<double, 3> voxelEdges(const OptionValues& values, const FilterGrid& grid);

}  // namespace sscope
