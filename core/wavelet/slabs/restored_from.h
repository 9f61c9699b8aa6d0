#pragma once
// Which samples some samples depend on that are transformed into wavelets and back.

#include "core/boundary/boundary.h"
#include "core/wavelet/wavelet.h"

namespace sscope {

// The samples that are read by all coefficients, down to this level, from which `samples` are put together again; begin
// may be negative, and end lie beyond the data, which are periodic. Averages of samples 2^levels * k on are one pair of
// coefficients only where an array begins at such a multiple.
[[nodiscard]] Range restoredFrom(const Wavelet& wavelet, int levels, const Range& samples);

}  // namespace sscope
