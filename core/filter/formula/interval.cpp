#include "core/filter/formula/interval.h"

#include <cmath>

namespace sscope {

Interval Interval::point(double value) {
  if (std::isnan(value)) return nothingButNan();
  return {value, value, false, false};
}

bool Interval::decided() const {
  if (torn) return false;
  if (nan) return empty();
  return low == high || (std::isfinite(low) && std::isfinite(high));
}

Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.nan || b.nan, a.torn || b.torn};
}

IntervalRounding::IntervalRounding(Precision precision)
    : wide_(precision == Precision::f64),
      roundoff_(wide_ ? 0x1p-53 : 0x1p-24),
      smallest_(wide_ ? std::numeric_limits<double>::min() : static_cast<double>(std::numeric_limits<float>::min())),
      largest_(wide_ ? std::numeric_limits<double>::max() : static_cast<double>(std::numeric_limits<float>::max())) {}

bool IntervalRounding::holds(double value) const {
  const double size = std::abs(value);
  if (size != 0 && !(size >= smallest_)) return false;
  return size <= largest_ && (wide_ || static_cast<double>(static_cast<float>(value)) == value);
}

Interval IntervalRounding::element(double value) const {
  if (value != 0 && std::abs(value) < smallest_) return hull(Interval::point(value), Interval::point(0));
  return Interval::point(value);
}

Interval IntervalRounding::number(double value) const {
  if (!std::isfinite(value) || value == 0 || holds(value)) return Interval::point(value);
  return widened(Interval::point(value), 1);
}

Interval IntervalRounding::widened(Interval exact, double units) const {
  if (exact.empty()) return exact;
  const auto step = [&](double end) { return std::abs(end) * units * roundoff_ + smallest_; };
  Interval wide = exact;
  if (std::isfinite(exact.low)) wide.low = exact.low - step(exact.low);
  if (std::isfinite(exact.high)) wide.high = exact.high + step(exact.high);
  if (exact.low >= 0) wide.low = std::max(wide.low, 0.0);
  if (exact.high <= 0) wide.high = std::min(wide.high, 0.0);
  if (wide.high > largest_) wide.high = kInfiniteBound;
  if (wide.low < -largest_) wide.low = -kInfiniteBound;
  return wide;
}

Interval IntervalRounding::rounded(double value, bool exact, double units) const {
  if (std::isnan(value)) return Interval::nothingButNan();
  if (exact && (value == 0 || holds(value))) return Interval::point(value);
  if (std::isinf(value)) {  // in single precision, and in another order, it may have been finite for long
    if (exact) return Interval::point(value);
    return value > 0 ? Interval{largest_, value, false, false} : Interval{value, -largest_, false, false};
  }
  return widened(Interval::point(value), units);
}

}  // namespace sscope
