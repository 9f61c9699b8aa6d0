#pragma once
// Order statistics of a window: the median and all other ranks.

#include <array>
#include <cstdint>
#include <string_view>
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
  bool operator==(const RankWindow&) const = default;
};

enum class WindowShape : std::uint8_t {
  Box,    // every voxel of the cube or square
  Ball,   // voxels within (size - 1) / 2 of the center
  Cross,  // voxels on the axes through the center
};

// The median of a window of `size` voxels along each of the first `dimensions` axes; size odd, so that the median is
// one of the values. Throws Error(Usage) for an even size or one outside 1..kLargestWindow.
inline constexpr std::int64_t kLargestWindow = 15;
[[nodiscard]] RankWindow medianWindow(WindowShape shape, std::int64_t size, int dimensions);

}  // namespace sscope
