#pragma once
// Filters that reach farther than the data: taps that read the same from everywhere become one.

#include <array>
#include <cstdint>

#include "core/boundary/boundary.h"
#include "core/filter/operator.h"

namespace sscope {

// A linear operator on data of these extents. Where it reaches beyond the far end from everywhere along an axis, its
// taps become at most 2 extent + 1: those that the boundary rule leads to the same voxel, or to the constant, are
// added. The results are the same but for rounding; others come back as they are.
[[nodiscard]] Operator foldedOperator(Operator op, const std::array<std::int64_t, 3>& extent, Boundary boundary);

}  // namespace sscope
