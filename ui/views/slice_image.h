#pragma once
// Extracts the visible part of a slice from a volume.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/volume/volume.h"
#include "ui/views/slice_plane.h"

namespace sscope {

// A rectangle of the slice in screen order: voxels from the left and from the bottom.
struct SliceRegion {
  std::int64_t left = 0, bottom = 0, width = 0, height = 0;
  std::int64_t reduction = 1;  // voxels along each edge averaged into one pixel, >= 1
  bool operator==(const SliceRegion&) const = default;
};

struct SliceImage {
  std::int64_t width = 0, height = 0;  // pixels; row 0 is the top
  int channels = 1;                    // 1, or 3 for color
  std::vector<double> values;          // channels interleaved
};

// component -1 takes the first three as color where there are three or four. `at` is the index along plane.normal.
// Blocks of more than 3 voxels along an edge are averaged over a grid of 3 by 3 of them, so that the time follows the
// number of pixels, not of voxels.
[[nodiscard]] SliceImage extractSlice(const Volume& volume, const SlicePlane& plane, std::int64_t at, int component,
                                      const SliceRegion& region);

// Color 0 at window[0] and below, the last one at window[1] and above, where `colors` are at least two of 0xffRRGGBB,
// and 256 grays if there are none; NaN and Inf get a color that differs from all grays. Fills width * height pixels.
// Each channel of a color image takes the blue of `colors`, which should be grays then.
void mapToPixels(const SliceImage& slice, const std::array<double, 2>& window, std::uint32_t* pixels,
                 std::span<const std::uint32_t> colors = {});

}  // namespace sscope
