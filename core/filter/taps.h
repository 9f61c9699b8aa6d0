#pragma once
// One-dimensional taps for the filter families.

#include "core/filter/stencil.h"

namespace sscope {

// The sampled gaussian exp(-x^2 / (2 sigma^2)) at whole voxels up to truncate * sigma, normalized to sum 1;
// order 1 and 2 are its derivatives, normalized so that the derivative of the ramp x (order 1) and of
// x^2 / 2 (order 2, taps sum to 0) is exactly 1. sigma in voxels, > 0. sigma 0 with order 0 is the identity.
[[nodiscard]] AxisTaps gaussianTaps(double sigma, int order, double truncate);
// The share of the sampled gaussian's mass beyond its truncation radius.
[[nodiscard]] double gaussianTailMass(double sigma, double truncate);
// n equal weights that sum to 1; for even n the anchor is n / 2, as in scipy.
[[nodiscard]] AxisTaps boxTaps(std::int64_t n);
[[nodiscard]] AxisTaps scaled(AxisTaps taps, double factor);

// Taps of this size, anchored at size / 2 on every axis, all zero.
[[nodiscard]] DenseTaps boxOfTaps(const std::array<std::int64_t, 3>& size);

}  // namespace sscope
