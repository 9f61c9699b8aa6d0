#pragma once
// The double-precision truth for the wavelet transform.

#include <span>

#include "core/base/control.h"
#include "core/volume/array_view.h"
#include "core/wavelet/pyramid.h"
#include "core/wavelet/wavelet.h"
#include "core/workload/free_boundaries.h"

namespace sscope {

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

}  // namespace sscope
