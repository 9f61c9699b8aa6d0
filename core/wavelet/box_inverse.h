#pragma once
// The inverse transform of a part of the data, for previews while a slider moves.

#include "core/base/control.h"
#include "core/volume/volume.h"
#include "core/wavelet/pyramid.h"
#include "core/wavelet/threshold.h"
#include "core/wavelet/wavelet.h"

namespace sscope {

// The part `box`, inside the pyramid's extents, of the inverse transform of the coefficients with thresholds applied.
// Does not modify the coefficients. Result and arithmetic have their type, f32 or f64. A slice needs about as many
// planes of coefficients as there are taps. Throws Error(Usage, Memory), Canceled.
[[nodiscard]] Volume inverseOfBox(const ConstArrayView& coefficients, const Pyramid& pyramid, const Wavelet& wavelet,
                                  const Box& box, const BandThresholds& thresholds, ThresholdMode mode,
                                  const Control& control);

}  // namespace sscope
