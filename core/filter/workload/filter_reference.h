#pragma once
// The double-precision reference of the filter workload.

#include <span>

#include "core/base/control.h"
#include "core/boundary/boundary.h"
#include "core/filter/operator.h"
#include "core/volume/array_view.h"

namespace sscope {

// out(x,y,z,c) = sum over taps w(i,j,k) in(x+i-ax, y+j-ay, z+k-az, c) for every voxel of `box`, written straight from
// the formula; components innermost. A separable term is summed axis by axis in double precision, which is the same sum
// reordered. magnitude = true sums |w| |in| instead. For a RankWindow: the value of its rank, or NaN if one of the
// values is NaN; magnitude = true gives 0. For a RangeWindow: its weighted mean; magnitude = true gives the number
// whose roundoffs are the unit of the accepted error. For an EntropyWindow: the entropy, which is its own magnitude.
void filterReference(const Operator& op, Boundary boundary, double constant, const ConstArrayView& input,
                     const Box& box, bool magnitude, std::span<double> values, const Control& control);

}  // namespace sscope
