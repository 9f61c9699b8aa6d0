#pragma once
// What the kernels of filters by Fourier transforms read of the taps.

#include <cstdint>
#include <vector>

#include "core/filter/stencil.h"
#include "gpu/filter/fft_shape.h"

namespace sscope {

// For the stages of x, then for those of y: see twiddle() in fft_common.h.
[[nodiscard]] std::vector<double> fftTwiddles(const FftShape& shape);

// The transforms of the slices of the taps, each its real parts, then its imaginary parts, frequencies in the order of
// fft_common.h: conjugated, because filters correlate, and divided by the number of points, because transforms back are
// not.
[[nodiscard]] std::vector<double> fftTapSpectra(const DenseTaps& taps, const FftShape& shape);

// The taps' side of the judgment whether a tile may be transformed (fft_judge.kernel).
struct FftTapScale {
  std::int64_t beginX = 0, beginY = 0, sizeX = 1,
               sizeY = 1;      // a window in each slice, without small weights at its edges
  std::vector<double> tables;  // as fft_judge.kernel reads them; NaN where no tile may be
};
[[nodiscard]] FftTapScale fftTapScale(const DenseTaps& taps, Precision precision);

}  // namespace sscope
