#pragma once
// The spectrum of a filter's taps, laid out as FftRows takes it.

#include <array>
#include <cstdint>
#include <vector>

#include "core/cpu/filter/fft_kernels.h"
#include "core/filter/stencil.h"

namespace sscope::cpu {

// Transformed in double precision by the kernels of `level`, then rounded: conjugated, because filters correlate, and
// divided by the number of points, because transforms back are not. For each group of rows as large as a vector of T,
// each z and each x: the real parts of the group's rows, then the imaginary parts. taps and length in tile axes.
template <class T>
[[nodiscard]] std::vector<T> fftSpectrum(const DenseTaps& taps, const std::array<std::int64_t, 3>& length,
                                         SimdLevel level);

}  // namespace sscope::cpu
