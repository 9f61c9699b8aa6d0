#pragma once
// The grid for which a filter's taps are made, and the axis and the lengths in a family's options on that grid.

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
  std::array<bool, 3> known{true, true, true};  // whether `spacing` is known along this axis
  double unit = 1;                              // of values, a power of two (core/filter/program/data_unit.h)
  // The first axis along which a length in millimeters is meaningless; empty: there is none.
  [[nodiscard]] std::string withoutLength() const;
  bool operator==(const FilterGrid&) const = default;
};

// The grid of data with this geometry; `dimensions` is 2 for a single slice.
[[nodiscard]] FilterGrid filterGrid(int dimensions, const Geometry& geometry);

// The index 0 to 2 of the option "axis", whose values are x, y and z. Throws Error(Usage) for z if the grid has two
// axes.
[[nodiscard]] std::size_t axisOf(const OptionValues& values, const FilterGrid& grid);

// Throws Error(Usage) if lengths are meaningless along an axis of the grid: `what` is then refused, and the remedies
// are to give the spacing, or `instead`.
void requireLengths(const std::string& what, const FilterGrid& grid, const std::string& instead);

// The length `name` in voxels along each axis. Throws Error(Usage) for millimeters if the data do not give the length
// of a voxel, and for more than 64 voxels.
[[nodiscard]] std::array<double, 3> voxelsAlongAxes(const OptionValues& values, std::string_view name,
                                                    const FilterGrid& grid);

// Whether the option `name` is in millimeters, not in voxels.
[[nodiscard]] bool isLength(const OptionValues& values, std::string_view name);

// The option "voxels" of families without lengths: "cubes", or "spacing", with which differences along the longer edges
// of a voxel count less. Other families declare it with their own help and default.
inline constexpr const char* kVoxelShape = "voxels";
[[nodiscard]] Option voxelShapeOption();
// The edges of a voxel in units of the shortest one; voxelEdges(): 1 for cubes, and throws Error(Usage) if an edge is
// unknown.
[[nodiscard]] std::array<double, 3> edgeRatios(const FilterGrid& grid);
[[nodiscard]] std::array<double, 3> voxelEdges(const OptionValues& values, const FilterGrid& grid);

}  // namespace sscope
