#pragma once
// Windows of values: order statistics (the minimum, the median, the maximum and all other ranks) and entropies.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/volume/element_type.h"

namespace sscope {

// out(i) = element number `rank` (from 0) of the sorted values in(i + offset), for all offsets of the window. NaN if
// the window holds a NaN. Components are processed separately.
struct RankWindow {
  std::array<std::int64_t, 3> size{1, 1, 1};    // of the box around the window
  std::array<std::int64_t, 3> anchor{0, 0, 0};  // in that box
  std::vector<std::array<std::int64_t, 3>> members{
      {}};                // positions in the box, (x, y, z) from its corner, x fastest; each once
  std::int64_t rank = 0;  // 0 (the minimum) .. count() - 1 (the maximum)

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(members.size()); }
  [[nodiscard]] bool box() const { return count() == size[0] * size[1] * size[2]; }  // all voxels are members
  [[nodiscard]] bool minimum() const { return rank == 0; }
  [[nodiscard]] bool maximum() const { return rank == count() - 1; }
  [[nodiscard]] bool median() const { return count() % 2 == 1 && rank == count() / 2; }
  // The lines along x of which it consists: their number, and their beginnings by length.
  [[nodiscard]] std::int64_t lines() const;
  [[nodiscard]] std::map<std::int64_t, std::vector<std::array<std::int64_t, 3>>> linesByLength() const;
  // "the median of 27 values", "value 7 of 27 in order".
  [[nodiscard]] std::string text() const;
  bool operator==(const RankWindow&) const = default;
};

enum class WindowShape : std::uint8_t {
  Box,    // every voxel of the cube or square
  Ball,   // voxels within (size - 1) / 2 of the center
  Cross,  // voxels on the axes through the center
};

inline constexpr std::int64_t kLargestWindow = 31;

// The minimum of a window of `size` voxels along each of the first `dimensions` axes, 1..kLargestWindow. Boxes of an
// even size reach one voxel farther down each axis, as SciPy's; other shapes need an odd one. Throws Error(Usage).
[[nodiscard]] RankWindow minimumWindow(WindowShape shape, std::int64_t size, int dimensions);
[[nodiscard]] RankWindow maximumWindow(WindowShape shape, std::int64_t size, int dimensions);
// The size is odd, so that the median is one of the values.
[[nodiscard]] RankWindow medianWindow(WindowShape shape, std::int64_t size, int dimensions);
// The nearest rank: the smallest value that at least `percent` (0..100) of the N values do not exceed, number
// ceil(percent N / 100) in order, the first for 0. SciPy's percentile_filter gives the same value, or the next one if
// percent N / 100 is a whole number between 0 and N.
[[nodiscard]] RankWindow percentileWindow(WindowShape shape, std::int64_t size, int dimensions, double percent);

// Shannon's entropy of the values in a window.

// out(i) = log2 N - (1/N) sum_b n_b log2 n_b in bits (C. Shannon, A mathematical theory of communication, 1948), where
// n_b of the window's N values in(i + offset) lie in bin b. Bin b begins at low + b (high - low) / bins; the first also
// holds all values below it, and the last all above. NaN if the window holds a NaN. Components are processed
// separately.
struct EntropyWindow {
  RankWindow shape;            // the members; its rank is ignored
  std::int64_t bins = 256;     // 2..kMostEntropyBins
  double low = 0, high = 256;  // in units of the data, finite, low < high

  [[nodiscard]] std::int64_t count() const { return shape.count(); }
  bool operator==(const EntropyWindow&) const = default;
};

inline constexpr std::int64_t kMostEntropyBins = 256;

// The sizes of medianWindow. Throws Error(Usage) for an empty range.
[[nodiscard]] EntropyWindow entropyWindow(WindowShape shape, std::int64_t size, int dimensions, std::int64_t bins,
                                          double low, double high);

// The lower edges of all bins except the first, ascending.
[[nodiscard]] std::vector<double> binEdges(const EntropyWindow& window);
// The number of edges that the value reaches: its bin.
[[nodiscard]] std::int64_t binOf(std::span<const double> edges, double value);

// The same for engines, which compare integers: the bin of a value is the number of thresholds that are at most its
// key. Keys of integers are the integers; those of f32 and f64 their bits, with the order of negative numbers reversed,
// and the last of their thresholds is that of NaN, which has an additional bin. There are fewer thresholds if the range
// of the type ends before the bins.
[[nodiscard]] std::vector<std::int64_t> binThresholds(const EntropyWindow& window, ElementType ordered);

// The growth of the sum when a bin of n values, n = 0..N-1, gets one more. n log2 n is counted in units of 2^-40 bits,
// so that sums are the same in any order: the roundings of 256 of them are less than 2^-32 / N bits.
[[nodiscard]] std::vector<std::int64_t> entropySteps(std::int64_t count);
inline constexpr double kEntropyUnit = 0x1p-40;
// The entropy of N values whose sum over the bins is `sum`; `total`: the sum if all are in one bin.
[[nodiscard]] constexpr double entropyOf(std::int64_t total, std::int64_t sum, std::int64_t count) {
  return static_cast<double>(total - sum) * kEntropyUnit / static_cast<double>(count);
}

// The most by which a value in another bin changes the entropy, in bits.
[[nodiscard]] double entropyPerValue(std::int64_t count);

}  // namespace sscope
