#pragma once
// Means of a window whose weights fall with the difference of values: the bilateral filter and non-local means.

#include <array>
#include <cstdint>
#include <vector>

namespace sscope {

// out(i) = sum w(i,o) in(i + o) / sum w(i,o) over all offsets |o_a| <= reach_a, in voxels, with w(i,o) = exp(-sum_a
// falloff_a o_a^2 - max(0, D(i,o) - floor) / (2 range^2)), D(i,o) = mean over |p_a| <= patch_a of (in(i + p) - in(i + o
// + p))^2, and w(i,0) = 1. A weight is 0 if D(i,o) is not finite: NaN and infinite values are ignored, and a voxel that
// is not finite, or has such a value in its patch, is unchanged. Components are processed separately.
struct RangeWindow {
  std::array<std::int64_t, 3> reach{0, 0, 0};  // of the window, from the voxel itself on
  std::array<std::int64_t, 3> patch{0, 0, 0};  // the half widths of compared patches; zeros: single voxels
  std::array<double, 3> falloff{0, 0, 0};      // 1 / (2 sigma^2) with sigma in voxels; 0: distances do not count
  double range = 1;                            // in units of the data, 1e-30..1e30
  double floor = 0;                            // a D up to this counts as 0, in squared units of the data

  // The number of weighted values.
  [[nodiscard]] std::int64_t count() const { return (2 * reach[0] + 1) * (2 * reach[1] + 1) * (2 * reach[2] + 1); }
  // The number of voxels of a patch.
  [[nodiscard]] std::int64_t patchCount() const { return (2 * patch[0] + 1) * (2 * patch[1] + 1) * (2 * patch[2] + 1); }
  // The box of all values that it reads has the extent 2 reach + 1.
  [[nodiscard]] std::array<std::int64_t, 3> anchor() const {
    return {reach[0] + patch[0], reach[1] + patch[1], reach[2] + patch[2]};
  }
  bool operator==(const RangeWindow&) const = default;
};

// Counted operations per weighted value: a difference, its scaling, its square, the exponent, the exponential, a
// product and two sums; with patches also their sums along one axis after the other, each with one less than a patch's
// width, the floor and a maximum.
[[nodiscard]] constexpr double operationsPerWeight(const RangeWindow& window) {
  const std::int64_t sums = 2 * (window.patch[0] + window.patch[1] + window.patch[2]);
  return 8 + (sums > 0 ? static_cast<double>(sums) + 2 : 0);
}

// For engines, which compute w = 2^(e - max(0, D' - floor')) with D' a sum over the patch of squares of scaled
// differences, so that only values without weight overflow. rangeExponents: e of all offsets, x fastest; -infinity for
// the center, whose weight is known.
[[nodiscard]] double rangeScale(const RangeWindow& window);
[[nodiscard]] double rangeFloor(const RangeWindow& window);
[[nodiscard]] std::vector<double> rangeExponents(const RangeWindow& window);
// The error of a mean of integers of at most 16 bits, c + d / w with the sums of weights and of weighted differences in
// single precision (plane by plane without patches), as a factor of the weighted mean magnitude of the differences, in
// addition to four unit roundoffs of the mean. Weights exp(-x) with x > 30 together change less than that.
[[nodiscard]] double rangeError(const RangeWindow& window);

inline constexpr std::int64_t kLargestReach = 15, kLargestPatch = 3;
inline constexpr double kSmallestRange = 1e-30, kLargestRange = 1e30;

// C. Tomasi and R. Manduchi, Bilateral filtering for gray and color images, ICCV 1998, section 2, with gaussians for
// closeness and similarity, but components one by one. sigma: in voxels along each axis, 0 for an axis along which
// nothing is read. The window is the box of `radius` voxels or, if that is 0, of truncate * sigma, rounded as taps of
// gaussians are. Throws Error(Usage) if it reaches farther than kLargestReach.
[[nodiscard]] RangeWindow bilateralWindow(const std::array<double, 3>& sigma, double range, std::int64_t radius,
                                          double truncate);

// A. Buades, B. Coll and J.-M. Morel, A non-local algorithm for image denoising, CVPR 2005, section 3, with h =
// strength * noise; as in their later implementation (Non-Local Means Denoising, IPOL 2011) with equally weighted
// voxels of patches, and minus twice the variance of the noise, the expected difference of equal patches. The first
// `dimensions` axes; noise: its standard deviation, in units of the data.
[[nodiscard]] RangeWindow nonLocalWindow(double noise, double strength, std::int64_t search, std::int64_t patch,
                                         int dimensions);

}  // namespace sscope
