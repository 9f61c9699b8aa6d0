#pragma once
// The double-precision truth for the workload magic.

#include <array>
#include <cstdint>
#include <span>

#include "core/base/control.h"
#include "core/volume/array_view.h"

namespace sscope {

// The filter along one axis. The data are periodic, or zero outside with free boundaries.
struct MagicAxis {
  bool filtered = true;
  bool free = false;
  std::int64_t first = 0;  // position of the first tap relative to the output's index
};

// out(x,y,z) = sum over i, j, k of w[i] w[j] w[k] in(x + first + i, y + first + j, z + first + k), with the first of
// each axis, for every voxel of `box`, x fastest; axes that are not filtered keep their index and have no sum. The sums
// are done axis by axis, which is the same sum reordered. magnitude = true sums |w| |in| instead. `input` is f64.
void magicReference(std::span<const double> taps, const std::array<MagicAxis, 3>& axes, const ConstArrayView& input,
                    const Box& box, bool magnitude, std::span<double> values, const Control& control);

}  // namespace sscope
