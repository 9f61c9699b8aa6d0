#pragma once
// Which dense taps are mirror-symmetric, and what they cost when they are folded.

#include <array>
#include <cstdint>

#include "core/filter/operator.h"

namespace sscope::cpu {

// Distinct taps along each axis of the volume: half of them and the middle one where the taps are their own mirror
// image along that axis, else all.
[[nodiscard]] std::array<std::int64_t, 3> distinctTaps(const DenseTaps& taps);

// What folded taps cost per output where so many registers hold vectors, in multiply-adds of a dense sum, and the
// operations they execute.
struct FoldedCost {
  double multiplyAdds = 0, operations = 0;
};
[[nodiscard]] FoldedCost foldedCost(const DenseTaps& taps, int registers);

// Whether an operator that is summed densely is folded: dense taps that nobody factored, where it saves a good part.
[[nodiscard]] bool takesFoldedTaps(const Operator& op, int registers);

}  // namespace sscope::cpu
