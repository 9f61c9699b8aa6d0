#pragma once
// Taps whose sums need fewer operations than one per tap: equal taps and mirror-symmetric taps.

#include <array>
#include <cstdint>

#include "core/base/control.h"
#include "core/cpu/run/kernel_table.h"
#include "core/filter/operator.h"
#include "core/filter/stencil.h"

namespace sscope::cpu {

// Equal taps: passes of separable filters along an axis whose taps are all equal, as in a box filter.

// Whether a pass uses this method; short ones do not. alongX: along the axis of vectors.
[[nodiscard]] bool takesEqualTaps(const AxisTaps& taps, bool alongX);

// The cost of such a pass per output, in multiply-adds of a pass along rows or planes, and its executed operations.
struct EqualCost {
  double multiplyAdds = 0, operations = 0;
};
[[nodiscard]] EqualCost equalCost(std::int64_t taps, bool alongX);

// Along x: first * firsts + singles taps, as sums of `first` neighbors, and sums of `firsts` of these and `singles`
// values.
struct EqualSplit {
  std::int64_t first = 1, firsts = 1, singles = 0;
};
// The cheapest split.
[[nodiscard]] EqualSplit equalSplit(std::int64_t taps);

// Run passes in pieces and check the control between them.
template <class T>
void runEqualRows(const PrecisionKernels<T>& kernels, const EqualSum<T>& job, const Control& control);
template <class T>
void runEqualColumns(const PrecisionKernels<T>& kernels, const EqualColumnSum<T>& job, const Control& control);

// Folded taps: dense taps that are mirror-symmetric, and their cost.

// Distinct taps along each axis of the volume: half of them and the middle one where the taps are their own mirror
// image along that axis, else all.
[[nodiscard]] std::array<std::int64_t, 3> distinctTaps(const DenseTaps& taps);

// The cost of folded taps per output on a level with this many vector registers, in multiply-adds of a dense sum, and
// their executed operations.
struct FoldedCost {
  double multiplyAdds = 0, operations = 0;
};
[[nodiscard]] FoldedCost foldedCost(const DenseTaps& taps, int registers);

// Whether an operator that is summed densely is folded: dense taps without terms, where folding saves enough.
[[nodiscard]] bool takesFoldedTaps(const Operator& op, int registers);

}  // namespace sscope::cpu
