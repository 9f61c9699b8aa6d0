#pragma once
// Lengths among a family's options, in voxels of the grid that its operator is made for.

#include <array>
#include <string>
#include <string_view>

#include "core/filter/grid.h"
#include "core/options/option.h"

namespace sscope {

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
