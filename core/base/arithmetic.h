#pragma once
// Arithmetic that several folders need.

#include <cmath>
#include <cstdint>

namespace sscope {

// a / b rounded up: the number of pieces of size b that cover a; a >= 0, b > 0.
[[nodiscard]] constexpr std::int64_t divideUp(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// The Euclidean norm of numbers of any magnitude, without overflow or underflow. Squares of numbers above 1e154
// overflow and those below 1e-162 vanish, so it sums squares of ratios to the largest number so far. NaN and Inf
// propagate.
class ScaledNorm {
 public:
  void add(double value) { add(std::abs(value), 1); }
  void add(const ScaledNorm& other) {
    if (!(other.sum_ == 0)) add(other.scale_, other.sum_);
  }
  [[nodiscard]] bool zero() const { return sum_ == 0; }
  [[nodiscard]] double value() const { return scale_ * std::sqrt(sum_); }
  // this / other, even if one of the two norms exceeds the range of double. 0 / 0 gives 0.
  [[nodiscard]] double over(const ScaledNorm& other) const {
    return zero() && other.zero() ? 0 : scale_ / other.scale_ * std::sqrt(sum_ / other.sum_);
  }

 private:
  // Adds `sum`, a sum of squares of ratios to `scale`.
  void add(double scale, double sum) {
    if (scale > scale_) {
      const double ratio = scale_ / scale;
      sum_ = sum + sum_ * ratio * ratio;
      scale_ = scale;
    } else if (!(scale == 0)) {
      const double ratio = scale == scale_ ? 1 : scale / scale_;
      sum_ += sum * ratio * ratio;
    }
  }

  double scale_ = 0, sum_ = 0;
};

}  // namespace sscope
