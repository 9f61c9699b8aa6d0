#pragma once
// The noise and the range of data, for filters whose options depend on them.

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/control.h"
#include "core/volume/array_view.h"
#include "core/volume/volume_stream.h"

namespace sscope {

// `noise`: the standard deviation of white gaussian noise in the data, in their units: the median magnitude of the
// second differences [1, -2, 1] along all axes at once, over its value for unit noise, 0.6745 sqrt(6)^axes. The mask is
// that of J. Immerkaer, Fast noise variance estimation, Computer Vision and Image Understanding 64 (1996) 300, which is
// zero for locally linear data; the median is that of D. Donoho and I. Johnstone, Biometrika 81 (1994) 425, on which
// edges have little effect. Axes with fewer than three voxels and values that are not finite are left out. 0 for
// constant data and without any differences. `range`: the largest minus the smallest finite value; `low`: the smallest.
// For large data, a million evenly spaced places are used, always the same ones.
struct DataScale {
  double noise = 0, range = 0, low = 0;
};
[[nodiscard]] DataScale estimatedScale(const ConstArrayView& data, const Control& control);
[[nodiscard]] double estimatedNoise(const ConstArrayView& data, const Control& control);
// The same numbers for data that are read once by planes. Throws what reading throws, and Canceled.
[[nodiscard]] DataScale estimatedScale(VolumeSource& source, const Control& control);

// Accumulates the scale of data that are processed part by part.
class ScaleSum {
 public:
  explicit ScaleSum(const ArraySpec& whole);
  // Adds the planes begin..end-1 across the slowest axis, each once, in any order. `part` holds the planes from `first`
  // on, including the neighbors of each.
  void add(const ConstArrayView& part, std::int64_t first, std::int64_t begin, std::int64_t end,
           const Control& control);
  // The same for planes that it reads itself.
  void add(VolumeSource& source, std::int64_t begin, std::int64_t end, const Control& control);
  // The accumulated state as numbers, so that the states of several parts can be concatenated.
  [[nodiscard]] std::vector<double> seen() const;
  void add(const std::vector<double>& seen);
  [[nodiscard]] DataScale scale();

 private:
  ArraySpec whole_;
  std::array<bool, 3> used_{};  // axes with at least three voxels
  std::size_t axis_;            // the slowest
  double low_, high_;
  std::int64_t finite_ = 0;          // differences
  std::vector<double> differences_;  // the nonzero ones
};

}  // namespace sscope
