#pragma once
// How noisy data are, for filters that want to know.

#include "core/base/control.h"
#include "core/volume/array_view.h"

namespace sscope {

// The standard deviation of white gaussian noise in the data, in their units: the median magnitude of the second
// differences [1, -2, 1] along all axes at once, over its value for unit noise, 0.6745 sqrt(6)^axes. The mask is that
// of J. Immerkaer, Fast noise variance estimation, Computer Vision and Image Understanding 64 (1996) 300, which what is
// locally linear passes without a trace; the median is that of D. Donoho and I. Johnstone, Biometrika 81 (1994) 425,
// which edges hardly move. Axes of fewer than three voxels are left out, and so is what is not finite. Of large data a
// million places in even steps are looked at, always the same ones. 0 for constant data and where there is nothing
// to look at.
[[nodiscard]] double estimatedNoise(const ConstArrayView& data, const Control& control);

// Also the largest less the smallest of the finite values, and the smallest; of large data, of a million in even steps.
struct DataScale {
  double noise = 0, range = 0, low = 0;
};
[[nodiscard]] DataScale estimatedScale(const ConstArrayView& data, const Control& control);

}  // namespace sscope
