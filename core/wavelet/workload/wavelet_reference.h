#pragma once
// The wavelet transform and the magic filter straight from their formulas.

#include <array>
#include <cstdint>
#include <span>

#include "core/base/control.h"
#include "core/volume/array_view.h"
#include "core/wavelet/pyramid.h"
#include "core/wavelet/wavelet.h"
#include "core/workload/free_boundaries.h"

namespace sscope {

// The double-precision truth for the wavelet transform.

// One level along an axis of n samples (n even), with s = taps / 2 - 1, as PyWavelets' mode "periodization":
//   low(o)  = sum_k recLow[k]  x((2o + k - s) mod n),   high(o) the same with recHigh,   o < n / 2
// and the inverse is the transpose: x(i) = sum over k, o with 2o + k - s = i of recLow[k] low(o) + recHigh[k] high(o).
// The coefficients in `box` of the pyramid, from data whose last samples are repeated up to the pyramid's extents. Only
// what the box depends on is computed, level by level. magnitude = true sums |tap| |value| instead.
// Free boundaries, of one level: s = 0, o < n / 2 - taps / 2 + 1, so that every sum lies inside; the inverse is the
// transpose again, to n samples. `pyramid` is that of the coefficients.
void dwtForwardReference(const Wavelet& wavelet, const Pyramid& pyramid, DataBoundary boundary,
                         const ConstArrayView& input, const Box& box, bool magnitude, std::span<double> values,
                         const Control& control);
// The samples in `box` from a pyramid of coefficients.
void dwtInverseReference(const Wavelet& wavelet, const Pyramid& pyramid, DataBoundary boundary,
                         const ConstArrayView& input, const Box& box, bool magnitude, std::span<double> values,
                         const Control& control);

// The double-precision truth for the workload magic.

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
