#pragma once
// Which voxels of an output are compared with the reference.

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/control.h"
#include "core/volume/array_view.h"

namespace sscope {

// All of it, in pieces small enough to be gathered and to answer a cancel quickly.
[[nodiscard]] std::vector<Box> wholeVolume(const std::array<std::int64_t, 4>& extent);

// Corners and edges whole, random windows of each face, and 64 random blocks.
[[nodiscard]] std::vector<Box> sampledBoxes(const std::array<std::int64_t, 4>& extent, std::uint64_t seed);

// Voxels that stand out, one box each, `most` at most. Every element is looked at: the volume is cut into tiles, and of
// each come the voxel that differs most from the mean of its two neighbors along some axis, and the one that does so
// along all axes. What is not a finite number comes before all others.
[[nodiscard]] std::vector<Box> standingOut(const ConstArrayView& output, std::int64_t most, const Control& control);

}  // namespace sscope
