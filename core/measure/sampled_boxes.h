#pragma once
// The voxels of an output that are compared with the reference.

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/control.h"
#include "core/volume/array_view.h"

namespace sscope {

// The whole output, in pieces small enough to be canceled quickly.
[[nodiscard]] std::vector<Box> wholeVolume(const std::array<std::int64_t, 4>& extent);

// Corners and edges whole, random windows of each face, and 64 random blocks.
[[nodiscard]] std::vector<Box> sampledBoxes(const std::array<std::int64_t, 4>& extent, std::uint64_t seed);

// Outliers, one box each, at most `most`. Checks every element: from each tile of the volume, the voxel that differs
// most from the mean of its two neighbors along some axis, and the one that differs most along all axes. NaN and Inf
// come first.
[[nodiscard]] std::vector<Box> standingOut(const ConstArrayView& output, std::int64_t most, const Control& control);

}  // namespace sscope
