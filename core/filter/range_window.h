#pragma once
// Means of a window whose weights fall with the difference of values: the bilateral filter and non-local means.

#include <array>
#include <cstdint>
#include <vector>

namespace sscope {

// out(i) = sum w(i,o) in(i + o) / sum w(i,o) over all offsets |o_a| <= reach_a, in voxels, with
//   w(i,o) = exp(-sum_a falloff_a o_a^2 - max(0, D(i,o) - floor) / (2 range^2)),
//   D(i,o) = mean over |p_a| <= patch_a of (in(i + p) - in(i + o + p))^2,
// and w(i,0) = 1. A weight is 0 where D(i,o) is not finite: values that are NaN or infinite count for nothing, and a
// voxel that is, or has one in its patch, stays as it is. Components are processed separately.
struct RangeWindow {
  std::array<std::int64_t, 3> reach{0, 0, 0};  // of the window, from the voxel itself on
  std::array<std::int64_t, 3> patch{0, 0, 0};  // of what is compared; zeros: the voxels alone
  std::array<double, 3> falloff{0, 0, 0};      // 1 / (2 sigma^2) with sigma in voxels; 0: distances do not count
  double range = 1;                            // in units of the data, 1e-30..1e30
  double floor = 0;                            // such a D counts as none, in squared units of the data

  // Values that are weighted.
  [[nodiscard]] std::int64_t count() const { return (2 * reach[0] + 1) * (2 * reach[1] + 1) * (2 * reach[2] + 1); }
  // Voxels of a patch.
  [[nodiscard]] std::int64_t patchCount() const { return (2 * patch[0] + 1) * (2 * patch[1] + 1) * (2 * patch[2] + 1); }
  // The box of all values that it reads is twice as large, and one.
  [[nodiscard]] std::array<std::int64_t, 3> anchor() const {
    return {reach[0] + patch[0], reach[1] + patch[1], reach[2] + patch[2]};
  }
  bool operator==(const RangeWindow&) const = default;
};

// Counted for each value that is weighted: a difference, its scaling, its square, the exponent, the exponential, a
// product and two sums; with patches as well their sums along one axis after the other, each of a patch's width less
// one, the floor and the larger of two.
[[nodiscard]] constexpr double operationsPerWeight(const RangeWindow& window) {
  const std::int64_t sums = 2 * (window.patch[0] + window.patch[1] + window.patch[2]);
  return 8 + (sums > 0 ? static_cast<double>(sums) + 2 : 0);
}

// For engines, which compute w = 2^(e - max(0, D' - floor')) with D' a sum over the patch of squares of scaled
// differences, so that nothing overflows but what has no weight. rangeExponents: e of all offsets, x fastest; -infinity
// for the center, whose weight is known.
[[nodiscard]] double rangeScale(const RangeWindow& window);
[[nodiscard]] double rangeFloor(const RangeWindow& window);
[[nodiscard]] std::vector<double> rangeExponents(const RangeWindow& window);
// How far a mean of integers of at most 16 bits, c + d / w with the sums of weights and of weighted differences made in
// single precision, without patches plane by plane, may be off: so much times the weighted mean magnitude of the
// differences, beside four unit roundoffs of the mean. Weights exp(-x) with x > 30 together change less than that.
[[nodiscard]] double rangeError(const RangeWindow& window);

inline constexpr std::int64_t kLargestReach = 15, kLargestPatch = 3;
inline constexpr double kSmallestRange = 1e-30, kLargestRange = 1e30;

// C. Tomasi and R. Manduchi, Bilateral filtering for gray and color images, ICCV 1998, section 2, with gaussians for
// closeness and similarity; colors, though, one by one. sigma: in voxels along each axis, 0 for one along which nothing
// is read. The window is the box of `radius` voxels or, if that is 0, of truncate * sigma, rounded as taps of gaussians
// are. Throws Error(Usage) if it reaches farther than kLargestReach.
[[nodiscard]] RangeWindow bilateralWindow(const std::array<double, 3>& sigma, double range, std::int64_t radius,
                                          double truncate);

// A. Buades, B. Coll and J.-M. Morel, A non-local algorithm for image denoising, CVPR 2005, section 3, with h =
// strength
// * noise; as in their later implementation (Non-Local Means Denoising, IPOL 2011) with patches whose voxels all count
// alike, and twice the variance of the noise, which is what two views of the same differ by, taken off. The first
// `dimensions` axes; noise: its standard deviation, in units of the data.
[[nodiscard]] RangeWindow nonLocalWindow(double noise, double strength, std::int64_t search, std::int64_t patch,
                                         int dimensions);

}  // namespace sscope
