#pragma once
// Linear filters as correlations: out(i) = sum_j w(j) in(i + j - anchor) on every axis.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sscope {

// Weights along one axis. {1.0} with anchor 0 is the identity: the axis is not filtered.
struct AxisTaps {
  std::vector<double> weights{1.0};
  std::int64_t anchor = 0;

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(weights.size()); }
  [[nodiscard]] bool identity() const { return weights.size() == 1 && weights[0] == 1.0 && anchor == 0; }
  // Whether all weights are the same number.
  [[nodiscard]] bool equal() const {
    return std::ranges::adjacent_find(weights, std::ranges::not_equal_to{}) == weights.end();
  }
  bool operator==(const AxisTaps&) const = default;
};

// The product of three axes' taps (x, y, z).
struct SeparableTerm {
  std::array<AxisTaps, 3> axis;
  bool operator==(const SeparableTerm&) const = default;
};

// Dense taps, x fastest.
struct DenseTaps {
  std::array<std::int64_t, 3> size{1, 1, 1};
  std::array<std::int64_t, 3> anchor{0, 0, 0};
  std::vector<double> weights{1.0};

  [[nodiscard]] std::int64_t count() const { return size[0] * size[1] * size[2]; }
  [[nodiscard]] double at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return weights[static_cast<std::size_t>((z * size[1] + y) * size[0] + x)];
  }
  bool operator==(const DenseTaps&) const = default;
};

// A linear filter: dense taps, or a sum of separable terms (a difference of gaussians has two, a laplacian of gaussian
// one per axis), which engines may also run densely.
struct Stencil {
  DenseTaps dense;                   // used when terms is empty
  std::vector<SeparableTerm> terms;  // separable when not empty
  double lostTailMass = 0;           // share of the ideal kernel's mass cut off by truncation, 0..1

  [[nodiscard]] bool separable() const { return !terms.empty(); }
  // Extents and anchor of the smallest box that holds every tap.
  [[nodiscard]] std::array<std::int64_t, 3> size() const;
  [[nodiscard]] std::array<std::int64_t, 3> anchor() const;
  // The taps written out as one dense box (terms multiplied and added).
  [[nodiscard]] DenseTaps expanded() const;
  // Sum of |w| over the expanded taps: the largest possible max |out| / max |in|.
  [[nodiscard]] double absoluteSum() const;
  // Multiply-adds per output element, densely and as separable passes.
  [[nodiscard]] std::int64_t denseTaps() const;
  [[nodiscard]] std::int64_t separableTaps() const;
};

// True convolution: the taps mirrored through the anchor.
[[nodiscard]] Stencil flipped(Stencil stencil);

// Factors dense taps of rank one into one separable term (relative error of every tap below 1e-12); otherwise returns
// the filter unchanged.
[[nodiscard]] Stencil factored(Stencil stencil);

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
