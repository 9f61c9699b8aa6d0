#pragma once
// The linear filters of a bank together: coverage in frequency, frame bounds, and correlations.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/filter/laboratory/spectrum.h"
#include "core/filter/stencil.h"

namespace sscope {

struct BankCoverage {
  Frequencies frequencies;    // centered (centeredFrequencies)
  std::vector<double> power;  // sum_i |H_i(f)|^2 in units of 2^exponent, x fastest
  // 0 unless the squares of the taps exceed the range of double precision.
  int exponent = 0;
  // Whether there are as many frequencies along each axis as the sum has coefficients: if it is constant at these, it
  // is constant at every frequency.
  bool everyFrequency = false;
};

// The number of frequencies for these filters: enough for BankCoverage::everyFrequency, at least 64 (image) or 32
// (volume) and at most 512 or 64 along an axis.
[[nodiscard]] std::array<std::int64_t, 3> coveragePoints(std::span<const Stencil> filters, int dimensions);
// Throws Canceled.
[[nodiscard]] BankCoverage bankCoverage(std::span<const Stencil> filters, const std::array<std::int64_t, 3>& points,
                                        const Control& control);

// A |s|^2 <= sum_i |h_i * s|^2 <= B |s|^2 for all signals s: the filters, without subsampling, are a frame with the
// bounds A = min, B = max of sum_i |H_i|^2, tight if they are equal (S. Mallat, A Wavelet Tour of Signal Processing,
// 2009, section 5.1). The bounds of a coverage are over its frequencies.
struct FrameBounds {
  double lower = 0, upper = 0;                 // in units of 2^BankCoverage::exponent
  std::array<double, 3> lowerAt{}, upperAt{};  // cycles per voxel
  // Whether they are equal within rounding, at all frequencies.
  bool tight = false;
};
[[nodiscard]] FrameBounds frameBounds(const BankCoverage& coverage);

// The coverage on shells around frequency 0.
struct RadialProfile {
  std::vector<double> frequency;              // the middle of each shell
  std::vector<double> lowest, mean, highest;  // in units of 2^BankCoverage::exponent
  double width = 0;                           // of a shell
};
// `spacing`: the radius is in cycles per its unit; ones for cycles per voxel. Shells are as wide as the frequencies of
// the finest axis are apart; those without any are left out.
[[nodiscard]] RadialProfile radialProfile(const BankCoverage& coverage, const std::array<double, 3>& spacing);

// Neighboring shells in which the sum is below `share` of the largest at every frequency (`whole`) or at some.
struct UnseenBand {
  double from = 0, to = 0;
  bool whole = false;
  bool operator==(const UnseenBand&) const = default;
};
inline constexpr double kUnseenShare = 0.01;  // -20 dB
[[nodiscard]] std::vector<UnseenBand> unseenBands(const RadialProfile& profile, double share);

// sum_j a(j) b(j), anchor on anchor: by Parseval's theorem also the mean of H_a conj(H_b) over all frequencies.
[[nodiscard]] double innerProduct(const Stencil& a, const Stencil& b, const Control& control);
// Inner products divided by the norms: n rows of n values from -1 to 1. 0 for a filter whose taps are all 0.
[[nodiscard]] std::vector<double> correlationMatrix(std::span<const Stencil> filters, const Control& control);

}  // namespace sscope
