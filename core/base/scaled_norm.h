#pragma once
// The square root of a sum of squares, of numbers of any magnitude.

#include <cmath>

namespace sscope {

// Squares of numbers beyond 1e154 overflow and those of numbers below 1e-162 vanish, so that what is summed are squares
// of ratios to the largest number so far. NaN and Inf stay what they are.
class ScaledNorm {
 public:
  void add(double value) { add(std::abs(value), 1); }
  void add(const ScaledNorm& other) {
    if (!(other.sum_ == 0)) add(other.scale_, other.sum_);
  }
  [[nodiscard]] bool zero() const { return sum_ == 0; }
  [[nodiscard]] double value() const { return scale_ * std::sqrt(sum_); }
  // this / other, also where one of the two is out of range. Of two zeros: 0.
  [[nodiscard]] double over(const ScaledNorm& other) const {
    return zero() && other.zero() ? 0 : scale_ / other.scale_ * std::sqrt(sum_ / other.sum_);
  }

 private:
  // `sum` squares of ratios to `scale`.
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
