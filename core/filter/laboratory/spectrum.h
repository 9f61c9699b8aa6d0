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

// n frequencies (k - floor(n / 2)) / n, k = 0 .. n - 1: beginning at -1/2 if n is even, with 0 at index n / 2.
[[nodiscard]] std::vector<double> centeredFrequencies(std::int64_t n);

// H(f) = sum_j w(j) exp(2 pi i f (j - anchor)), x fastest: the factor by which the filter, a correlation, multiplies
// the wave exp(2 pi i f x). Axis by axis: along axes with the frequencies centeredFrequencies(n) for which there is a
// transform of length n (core/cpu/filter/fft_spectrum.h), it transforms the taps, padded with zeros, with the anchor at
// 0 and taps n apart added, which gives the same at these frequencies (A. Oppenheim and R. Schafer, Discrete-Time
// Signal Processing, 2010, sections 2.6 and 8.4); along other axes, such as that across a plane, it computes the sum
// itself. For separable terms, the sums along the axes are multiplied. Throws Canceled.
[[nodiscard]] std::vector<std::complex<double>> spectrum(const Stencil& filter, const Frequencies& frequencies,
                                                         const Control& control);

// The direct sums along all axes for any frequencies; for tests and comparisons.
[[nodiscard]] std::vector<std::complex<double>> addedUpSpectrum(const DenseTaps& taps, const Frequencies& frequencies,
                                                                const Control& control);

// 20 log10 |H|; minus infinity for 0.
[[nodiscard]] double decibels(std::complex<double> value);
// In degrees, -180 to 180; NaN if |H| <= `least`, which is rounding; smaller real and imaginary parts count as 0.
[[nodiscard]] double phaseDegrees(std::complex<double> value, double least);

// Magnitudes up to this share of the sum of |w| count as 0, because they are roundings.
inline constexpr double kSpectrumRounding = 1e-13;

// A filter as `taps` times 2^exponent, so that sums, squares and transforms neither overflow nor vanish. Only taps
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
