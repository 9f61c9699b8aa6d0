#pragma once
// The filters of the wavelet transform and the magic filter as filter families.

#include <vector>

#include "core/filter/families/family.h"

namespace sscope {

// daubechies, symlet: one step of the transform without downsampling, out(i) = sum_k taps[k] in(i + k - s) with s =
// taps / 2 - 1 on every axis; divided by sqrt(2) an axis so that the low pass keeps constants. magic: see
// core/wavelet/magic_taps.h.
[[nodiscard]] std::vector<FilterFamily> waveletFamilies();

}  // namespace sscope
