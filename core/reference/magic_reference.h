#pragma once
// The double-precision truth for the workload magic.

#include <array>
#include <span>

#include "core/base/control.h"
#include "core/volume/array_view.h"

namespace sscope {

// out(x,y,z) = sum over i, j, k of w[i] w[j] w[k] in(x+first+i, y+first+j, z+first+k), every index modulo the extent,
// for every voxel of `box`, x fastest; axes that are not `filtered` keep their index and have no sum. The sums are done
// axis by axis, which is the same sum reordered. magnitude = true sums |w| |in| instead. `input` is f64.
void magicReference(std::span<const double> taps, int first, const std::array<bool, 3>& filtered,
                    const ConstArrayView& input, const Box& box, bool magnitude, std::span<double> values,
                    const Control& control);

}  // namespace sscope
