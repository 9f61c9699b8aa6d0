#pragma once
// Spectra of linear filters.

#include <array>
#include <complex>
#include <cstdint>
#include <vector>

#include "core/base/control.h"
#include "core/filter/stencil.h"

namespace sscope {

// The frequencies along each axis, in cycles per voxel.
using Frequencies = std::array<std::vector<double>, 3>;

// n frequencies (k - floor(n / 2)) / n, k = 0 .. n - 1: beginning at -1/2 if n is even, with 0 at index n / 2.
[[nodiscard]] std::vector<double> centeredFrequencies(std::int64_t n);

// H(f) = sum_j w(j) exp(2 pi i f (j - anchor)), x fastest: the factor by which the filter, a correlation, multiplies
// the wave exp(2 pi i f x). Throws Canceled.
// Axes are computed one after the other. If the frequencies of an axis are centeredFrequencies(n) and a transform of
// length n exists (core/cpu/filter/fft_spectrum.h), the taps are transformed: padded with zeros, with the anchor at 0
// and taps n apart added. This gives the same values at these frequencies (A. Oppenheim and R. Schafer, Discrete-Time
// Signal Processing, 2010, sections 2.6 and 8.4). For other axes, such as the one across a plane, the sum is computed
// directly. For separable terms, the sums along the axes are multiplied.
[[nodiscard]] std::vector<std::complex<double>> spectrum(const Stencil& filter, const Frequencies& frequencies,
                                                         const Control& control);

// The direct sums along all axes for any frequencies; for tests and comparisons.
[[nodiscard]] std::vector<std::complex<double>> addedUpSpectrum(const DenseTaps& taps, const Frequencies& frequencies,
                                                                const Control& control);

// 20 log10 |H|; minus infinity for 0.
[[nodiscard]] double decibels(std::complex<double> value);
// The phase in degrees, -180 to 180; NaN if |H| <= `least`, because it would be a rounding error. Real and imaginary
// parts up to `least` count as 0.
[[nodiscard]] double phaseDegrees(std::complex<double> value, double least);

// Magnitudes up to this share of the sum of |w| count as 0, because they are roundings.
inline constexpr double kSpectrumRounding = 1e-13;

// A filter as `taps` times 2^exponent, so that sums, squares and transforms neither overflow nor underflow. Only taps
// below 2^-1022 of the largest are rounded.
struct UnitTaps {
  Stencil taps;
  int exponent = 0;
  bool some = true;  // false: all taps are 0
};

// Scales the largest |tap| into 1/2..1; for a sum of terms, the largest product of the largest taps along its axes.
// Taps that are all 0 or not all finite stay as they are.
[[nodiscard]] UnitTaps unitTaps(Stencil filter);

// If the largest tap has an exponent up to this, squares of sums stay within double precision.
inline constexpr int kOrdinaryExponent = 300;
// Ordinary taps as they are, with the exponent 0; others as unitTaps.
[[nodiscard]] UnitTaps ordinaryTaps(const Stencil& filter);

}  // namespace sscope
