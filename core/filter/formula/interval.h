#pragma once
// Where a value may lie that an engine computes with rounding, on every engine and in every order that is allowed.
//
// The arithmetic is interval arithmetic (R. Moore, Interval Analysis, 1966) in double precision. Every operation widens
// its result outward by the error that engines are granted, in units of their roundoff: so much that the roundings of
// the bounds themselves are covered, too.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/workload/workload.h"

namespace sscope {

inline constexpr double kInfiniteBound = std::numeric_limits<double>::infinity();

// All numbers from low to high, infinity among them where it is an end; none if low > high. Always NaN: none, and nan.
struct Interval {
  double low = 0, high = 0;
  bool nan = false;   // it may be NaN
  bool torn = false;  // a discontinuity lies within the rounding error, and the numbers on both sides are far apart

  [[nodiscard]] static Interval point(double value) {
    return std::isnan(value) ? nothingButNan() : Interval{value, value, false, false};
  }
  [[nodiscard]] static Interval nothingButNan() { return {kInfiniteBound, -kInfiniteBound, true, false}; }
  [[nodiscard]] static Interval anything() { return {-kInfiniteBound, kInfiniteBound, true, false}; }

  [[nodiscard]] bool empty() const { return low > high; }
  [[nodiscard]] bool isPoint() const { return low == high && !nan && !torn; }
  [[nodiscard]] bool contains(double value) const { return low <= value && value <= high; }
  [[nodiscard]] double width() const { return empty() ? 0 : high - low; }
  // Whether only one of NaN, plus infinity, minus infinity, or a range of numbers is left.
  [[nodiscard]] bool decided() const;
};

[[nodiscard]] inline Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.nan || b.nan, a.torn || b.torn};
}

// What roundings of an engine do in one precision.
class IntervalRounding {
 public:
  explicit IntervalRounding(Precision precision);
  // The same with exponents of any size: what numbers below the normal ones lose is not granted.
  [[nodiscard]] IntervalRounding withoutUnderflow() const {
    IntervalRounding other = *this;
    other.smallest_ = 0;
    return other;
  }

  // Values of data: as they are, but numbers below the normal ones count as zero on some engines.
  [[nodiscard]] Interval element(double value) const;
  // A number of the formula, converted to the precision.
  [[nodiscard]] Interval number(double value) const;
  // Widens exact bounds by `units` roundoffs of their size and, except where the exact bounds tell the sign, the
  // smallest normal number. Numbers beyond the largest may have become infinite.
  [[nodiscard]] Interval widened(Interval exact, double units) const;
  // As widened, or the value itself where engines compute it exactly: `value` without an error of its own in double
  // precision (`exact`), and held by the precision.
  [[nodiscard]] Interval rounded(double value, bool exact, double units) const;
  [[nodiscard]] double roundoff() const { return roundoff_; }
  [[nodiscard]] double smallest() const { return smallest_; }

 private:
  [[nodiscard]] bool holds(double value) const;
  bool wide_;
  double roundoff_, smallest_, largest_;
};

// Of every operation of every voxel: here, so that callers can take it apart.
inline bool IntervalRounding::holds(double value) const {
  const double size = std::abs(value);
  if (size != 0 && !(size >= smallest_)) return false;
  return size <= largest_ && (wide_ || static_cast<double>(static_cast<float>(value)) == value);
}

inline Interval IntervalRounding::element(double value) const {
  if (value != 0 && std::abs(value) < smallest_) return hull(Interval::point(value), Interval::point(0));
  return Interval::point(value);
}

inline Interval IntervalRounding::number(double value) const {
  if (!std::isfinite(value) || value == 0 || holds(value)) return Interval::point(value);
  return widened(Interval::point(value), 1);
}

inline Interval IntervalRounding::widened(Interval exact, double units) const {
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

inline Interval IntervalRounding::rounded(double value, bool exact, double units) const {
  if (std::isnan(value)) return Interval::nothingButNan();
  if (exact && (value == 0 || holds(value))) return Interval::point(value);
  if (std::isinf(value)) {  // in single precision, and in another order, it may have been finite for long
    if (exact) return Interval::point(value);
    return value > 0 ? Interval{largest_, value, false, false} : Interval{value, -largest_, false, false};
  }
  return widened(Interval::point(value), units);
}

}  // namespace sscope
