#pragma once
// The voxels of an output that are compared with the reference.

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/control.h"
#include "core/volume/array_view.h"

namespace sscope {

// The whole output, in pieces of about the same size, of at most `edge` voxels along each axis.
[[nodiscard]] std::vector<Box> wholeVolume(const std::array<std::int64_t, 4>& extent, std::int64_t edge);

// Boxes that cover all of these, some in one where computing that takes no longer than computing them apart. `voxel`:
// what a voxel of a large box costs.
[[nodiscard]] std::vector<Box> joinedBoxes(std::vector<Box> boxes, const std::function<double(const Box&)>& cost,
                                           double voxel);

// Corners and edges whole, random windows of each face, and 64 random blocks.
[[nodiscard]] std::vector<Box> sampledBoxes(const std::array<std::int64_t, 4>& extent, std::uint64_t seed);

// Outliers are looked for in tiles of an output, in so many that twice their number is at most `most`: in each, the
// voxel that differs most from the mean of its two neighbors along some axis, and the one that differs most along all
// axes. NaN and Inf come first. So every element is checked.
[[nodiscard]] std::vector<Box> outlierTiles(const std::array<std::int64_t, 4>& extent, std::int64_t most);
// A tile with the voxels around it that there are.
[[nodiscard]] Box withNeighbors(const Box& tile, const std::array<std::int64_t, 4>& extent);
// The two outliers of a tile, a box each. `part` holds what lies in the box `of`, which is withNeighbors(tile).
[[nodiscard]] std::array<Box, 2> outliersOf(const ConstArrayView& part, const Box& of, const Box& tile,
                                            const Control& control);

}  // namespace sscope
