#pragma once
// Where a value may lie that an engine computes with rounding, on every engine and in every order that is allowed.
//
// The arithmetic is interval arithmetic (R. Moore, Interval Analysis, 1966) in double precision. Every operation widens
// its result outward by the error that engines are granted, in units of their roundoff: so much that the roundings of
// the bounds themselves are covered, too.

#include <algorithm>
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

  [[nodiscard]] static Interval point(double value);
  [[nodiscard]] static Interval nothingButNan() { return {kInfiniteBound, -kInfiniteBound, true, false}; }
  [[nodiscard]] static Interval anything() { return {-kInfiniteBound, kInfiniteBound, true, false}; }

  [[nodiscard]] bool empty() const { return low > high; }
  [[nodiscard]] bool isPoint() const { return low == high && !nan && !torn; }
  [[nodiscard]] bool contains(double value) const { return low <= value && value <= high; }
  [[nodiscard]] double width() const { return empty() ? 0 : high - low; }
  // Whether only one of NaN, plus infinity, minus infinity, or a range of numbers is left.
  [[nodiscard]] bool decided() const;
};

[[nodiscard]] Interval hull(const Interval& a, const Interval& b);

// What roundings of an engine do in one precision.
class IntervalRounding {
 public:
  explicit IntervalRounding(Precision precision);

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

}  // namespace sscope
