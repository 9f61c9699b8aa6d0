#pragma once
// Which filter workloads differ in weights only, as those of one slider do from tick to tick.

#include <array>
#include <vector>

#include "core/filter/workload/filter_workload.h"

namespace sscope {

// As many terms with as many taps at the same anchors, the same axes untouched, and equal taps along the same axes.
[[nodiscard]] bool sameShape(const std::vector<SeparableTerm>& a, const std::vector<SeparableTerm>& b);

// Along which axes (x, y, z) dense taps are their own mirror image. None where a tap is so large that sums of values
// times multiples of it might overflow.
[[nodiscard]] std::array<bool, 3> mirrorSymmetry(const DenseTaps& taps);

// Whether all but the weights is equal. Methods that factor dense taps look at the weights, too.
[[nodiscard]] bool sameShape(const FilterWorkload& a, const FilterWorkload& b);

// Whether dense taps are sums of as many terms in both, if of few (core/filter/low_rank.h). For workloads of one shape.
[[nodiscard]] bool sameSums(const FilterWorkload& a, const FilterWorkload& b);

}  // namespace sscope
