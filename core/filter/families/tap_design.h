#pragma once
// Taps along one axis, designed by least squares, by moments, or in frequency; directions, and the limit of dense taps.

#include <array>
#include <cstdint>
#include <string>

#include "core/filter/grid.h"
#include "core/filter/stencil.h"
#include "core/options/option.h"

namespace sscope {

// "order_x", "order_y", "order_z": orders of derivatives along the axes, 0 to 4.
[[nodiscard]] std::array<Option, 3> orderOptions();
// Their values. Throws Error(Usage) for a derivative along z of an image.
[[nodiscard]] std::array<int, 3> ordersOf(const OptionValues& values, const FilterGrid& grid);

// The derivative of this order, at the center, of the polynomial of `degree` that fits 2 half + 1 values best
// (A. Savitzky and M. Golay, 1964). order <= degree <= 2 half; degree at most 6.
[[nodiscard]] AxisTaps fittedPolynomialTaps(std::int64_t half, int degree, int order);

// The derivative of order 0..4 of a gaussian up to truncate * sigma: the sampled gaussian times an even or odd
// polynomial of that degree, such that x^order / order! gives exactly 1 and lower powers give 0; orders up to 2 are
// gaussianTaps. sigma in voxels, from 0.5.
[[nodiscard]] AxisTaps gaussianDerivativeTaps(double sigma, int order, double truncate);

// The weight of a window, "hann", "hamming" or "blackman", at -half - 1 < place < half + 1; 1 at place 0.
[[nodiscard]] double windowWeight(const std::string& window, double place, double half);

// The ideal low pass, sin(2 pi c x) / (pi x), of 2 half + 1 taps in a window, scaled to sum 1. cutoff c in cycles per
// voxel, 0 < c <= 0.5.
[[nodiscard]] AxisTaps lowpassTaps(double cutoff, std::int64_t half, const std::string& window);

// The ideal Hilbert transformer, 2 / (pi x) at odd places, of 2 half + 1 taps in a window: makes sines of cosines.
[[nodiscard]] AxisTaps hilbertTaps(std::int64_t half, const std::string& window);

// The ramp |f| weighted in frequency, of 2 half + 1 taps: "ram-lak" (by 1; G. Ramachandran and A. Lakshminarayanan,
// 1971), "shepp-logan" (sin(pi f) / (pi f); 1974), "cosine" (cos(pi f)), "hann", "hamming" (0.5 or 0.54 plus the rest
// times cos(2 pi f)). Closed forms of the whole band; a multiple of a Hann window is subtracted so that the sum is 0.
[[nodiscard]] AxisTaps rampTaps(std::int64_t half, const std::string& window);

// Options for a direction in space, by two angles.

// "azimuth", from x toward y, and "elevation", from the xy plane toward z; in degrees.
[[nodiscard]] Option azimuthOption();
[[nodiscard]] Option elevationOption();

// The unit vector. Throws Error(Usage) for an elevation in an image.
[[nodiscard]] std::array<double, 3> directionOf(const OptionValues& values, const FilterGrid& grid);

// The maximum number of dense taps that a family makes.

inline constexpr std::int64_t kMostDesignedTaps = 300'000;

// Zeros of this size, anchored at size / 2. Throws Error(Usage) for more than kMostDesignedTaps.
[[nodiscard]] DenseTaps limitedTaps(const std::array<std::int64_t, 3>& size);

}  // namespace sscope
