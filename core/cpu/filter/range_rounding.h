#pragma once
// Integers from weighted means in single precision, equal to those of double precision.

#include <array>
#include <cstdint>

#include "core/base/control.h"
#include "core/cpu/filter/range_kernels.h"
#include "core/filter/range_window.h"

namespace sscope::cpu {

// Values are integers of at most 16 bits, exact in single precision. Where the two ends of the range in which a mean
// lies (rangeError) round alike, the integer is certain; else the mean is made again in double precision.
class RangeRounding {
 public:
  RangeRounding() = default;
  // The window's axes are those of the tile.
  explicit RangeRounding(const RangeWindow& window);

  // A row of outputs: the packed input around the first one's center, with its strides.
  struct Row {
    const float* center = nullptr;
    std::int64_t row = 0, plane = 0;
    std::int64_t outputs = 0;
  };
  // Turns sums into integers, in place of the differences.
  void round(const Row& row, const RangeSumsAt<float>& sums, const Control& control) const;

 private:
  // In double precision, straight from the formula.
  [[nodiscard]] double mean(const float* center, std::int64_t row, std::int64_t plane) const;

  RangeWindow window_;
  double relative_ = 0;  // rangeError
};

}  // namespace sscope::cpu
