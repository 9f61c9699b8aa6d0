#pragma once
// Spectra of linear filters.

#include <array>
#include <complex>
#include <cstdint>
#include <vector>

#include "core/base/control.h"
#include "core/filter/stencil.h"

namespace sscope {

// Of each axis, in cycles per voxel.
using Frequencies = std::array<std::vector<double>, 3>;

// n frequencies (k - floor(n / 2)) / n, k = 0 .. n - 1: from -1/2 where n is even, with 0 in place n / 2.
[[nodiscard]] std::vector<double> centeredFrequencies(std::int64_t n);

// H(f) = sum_j w(j) exp(2 pi i f (j - anchor)), x fastest: the factor by which the filter, a correlation, multiplies
// the wave exp(2 pi i f x). Axis by axis: along axes whose frequencies are centeredFrequencies(n) and where there is a
// transform of the length n (core/cpu/filter/fft_spectrum.h), that of the taps padded with zeros, the anchor at 0, taps
// n apart added up, which is the same at these frequencies (A. Oppenheim and R. Schafer, Discrete-Time Signal
// Processing, 2010, sections 2.6 and 8.4); along others, such as the one that a plane lies across, the sum itself. Of
// separable terms the sums along the axes are multiplied. Throws Canceled.
[[nodiscard]] std::vector<std::complex<double>> spectrum(const Stencil& filter, const Frequencies& frequencies,
                                                         const Control& control);

// The sums along all axes, whatever the frequencies are; for tests and comparisons.
[[nodiscard]] std::vector<std::complex<double>> addedUpSpectrum(const DenseTaps& taps, const Frequencies& frequencies,
                                                                const Control& control);

// 20 log10 |H|; minus infinity for 0.
[[nodiscard]] double decibels(std::complex<double> value);
// In degrees, -180 to 180; NaN where |H| <= `least`, which is rounding; smaller real and imaginary parts count as 0.
[[nodiscard]] double phaseDegrees(std::complex<double> value, double least);

// Magnitudes that are no more than this share of the sum of |w| are taken for 0: roundings.
inline constexpr double kSpectrumRounding = 1e-13;

}  // namespace sscope
