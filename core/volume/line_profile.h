#pragma once
// Values along a straight line in a slice.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/volume/volume.h"

namespace sscope {

// A point in a slice across `axis`: fractional indices along the two other axes, in the order of the axes.
using SlicePoint = std::array<double, 2>;
// The two other axes.
[[nodiscard]] constexpr std::array<std::size_t, 2> axesOfSlice(std::size_t axis) {
  return {axis == 0 ? 1U : 0U, axis == 2 ? 1U : 2U};
}

struct ProfileLine {
  std::size_t axis = 2;
  SlicePoint from{}, to{};
  bool operator==(const ProfileLine&) const = default;
};

// Between voxels: the value of the nearest one, or linear in both directions of the slice. As the line lies in a slice,
// that is the trilinear value.
enum class ProfileSampling { Linear, Nearest };

// From one end to the other in equal steps, at most half a voxel along either axis, but no more than 4097 points.
[[nodiscard]] std::vector<SlicePoint> profilePoints(const ProfileLine& line);
// The distance of a point from the first one along the line, in voxels, or in units of length for the spacing.
[[nodiscard]] double profileDistance(const ProfileLine& line, const SlicePoint& point,
                                     const std::array<double, 3>& spacing);
// The values in slice `at` of the volume; points beyond it get the value at the edge. A missing component means the
// last one, and -1 the mean of the first three (or fewer).
[[nodiscard]] std::vector<double> profileValues(const Volume& volume, std::int64_t at, std::size_t axis,
                                                const std::vector<SlicePoint>& points, int component,
                                                ProfileSampling sampling);

}  // namespace sscope
