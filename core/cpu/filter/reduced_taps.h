#pragma once
// Taps whose sums need fewer operations than taps: equal ones and mirror-symmetric ones.

#include <array>
#include <cstdint>

#include "core/base/control.h"
#include "core/cpu/run/kernel_table.h"
#include "core/filter/operator.h"
#include "core/filter/stencil.h"

namespace sscope::cpu {

// Passes of separable filters along an axis whose taps are all equal, as those of a box: fewer operations than one
// multiply-add per tap.

// Whether a pass takes this way: short ones are summed as any others. alongX: along the axis of vectors.
[[nodiscard]] bool takesEqualTaps(const AxisTaps& taps, bool alongX);

// What such a pass costs per output, in multiply-adds of a pass along rows or planes, and the operations it executes.
struct EqualCost {
  double multiplyAdds = 0, operations = 0;
};
[[nodiscard]] EqualCost equalCost(std::int64_t taps, bool alongX);

// Along x: first * firsts + singles taps, as sums of `first` neighbors, and sums of `firsts` of these and `singles`
// values.
struct EqualSplit {
  std::int64_t first = 1, firsts = 1, singles = 0;
};
// The cheapest.
[[nodiscard]] EqualSplit equalSplit(std::int64_t taps);

// Passes in pieces between which they look at the control.
template <class T>
void runEqualRows(const PrecisionKernels<T>& kernels, const EqualSum<T>& job, const Control& control);
template <class T>
void runEqualColumns(const PrecisionKernels<T>& kernels, const EqualColumnSum<T>& job, const Control& control);

// Which dense taps are mirror-symmetric, and what they cost when they are folded.

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
