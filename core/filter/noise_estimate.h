#pragma once
// How noisy data are, for filters that want to know.

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/control.h"
#include "core/volume/array_view.h"
#include "core/volume/volume_stream.h"

namespace sscope {

// `noise`: the standard deviation of white gaussian noise in the data, in their units: the median magnitude of the
// second differences [1, -2, 1] along all axes at once, over its value for unit noise, 0.6745 sqrt(6)^axes. The mask is
// that of J. Immerkaer, Fast noise variance estimation, Computer Vision and Image Understanding 64 (1996) 300, which
// what is locally linear passes without a trace; the median is that of D. Donoho and I. Johnstone, Biometrika 81 (1994)
// 425, which edges hardly move. Axes of fewer than three voxels are left out, and so is what is not finite. 0 for
// constant data and where there is nothing to look at. `range`: the largest less the smallest of the finite values, and
// `low` the smallest. Of large data a million places in even steps are looked at, always the same ones.
struct DataScale {
  double noise = 0, range = 0, low = 0;
};
[[nodiscard]] DataScale estimatedScale(const ConstArrayView& data, const Control& control);
[[nodiscard]] double estimatedNoise(const ConstArrayView& data, const Control& control);
// The same numbers, of data that are read once by their planes. Throws what reading throws, and Canceled.
[[nodiscard]] DataScale estimatedScale(VolumeSource& source, const Control& control);

// What of data that somebody sees part by part the scale is made of.
class ScaleSum {
 public:
  explicit ScaleSum(const ArraySpec& whole);
  // The planes begin..end-1 across the slowest axis, each once, in any order. `part` holds the planes from `first` on:
  // these and the neighbors of each.
  void add(const ConstArrayView& part, std::int64_t first, std::int64_t begin, std::int64_t end,
           const Control& control);
  // The same, of planes that are read here.
  void add(VolumeSource& source, std::int64_t begin, std::int64_t end, const Control& control);
  // What was seen as numbers, for whoever puts together that of several: the sum of them all is one after the other.
  [[nodiscard]] std::vector<double> seen() const;
  void add(const std::vector<double>& seen);
  [[nodiscard]] DataScale scale();

 private:
  ArraySpec whole_;
  std::array<bool, 3> used_{};  // axes that are long enough for differences
  std::size_t axis_;            // the slowest
  double low_, high_;
  std::int64_t finite_ = 0;          // differences
  std::vector<double> differences_;  // those that are not 0
};

}  // namespace sscope
