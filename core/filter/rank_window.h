#pragma once
// Order statistics of a window: the minimum, the median, the maximum and all other ranks.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sscope {

// out(i) = element number `rank` (from 0) of the sorted values in(i + offset), for all offsets of the window. NaN if
// the window holds a NaN. Components are processed separately.
struct RankWindow {
  std::array<std::int64_t, 3> size{1, 1, 1};             // of the box around the window
  std::array<std::int64_t, 3> anchor{0, 0, 0};           // in that box
  std::vector<std::array<std::int64_t, 3>> members{{}};  // of the box, (x, y, z) from its corner, x fastest; each once
  std::int64_t rank = 0;                                 // 0 (the minimum) .. count() - 1 (the maximum)

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(members.size()); }
  [[nodiscard]] bool box() const { return count() == size[0] * size[1] * size[2]; }  // no voxel is left out
  [[nodiscard]] bool minimum() const { return rank == 0; }
  [[nodiscard]] bool maximum() const { return rank == count() - 1; }
  [[nodiscard]] bool median() const { return count() % 2 == 1 && rank == count() / 2; }
  // The lines along x that it consists of: how many, and where they begin by their length.
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
// ceil(percent N / 100) in order, the first for 0. SciPy's percentile_filter takes the same value, and the next one
// where percent N / 100 is a whole number between 0 and N.
[[nodiscard]] RankWindow percentileWindow(WindowShape shape, std::int64_t size, int dimensions, double percent);

}  // namespace sscope
