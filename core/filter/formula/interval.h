#pragma once
// The interval of a value that engines compute with rounding: for all engines and all allowed orders of operations.
//
// The arithmetic is interval arithmetic (R. Moore, Interval Analysis, 1966) in double precision. Every operation widens
// its result outward by the accepted error of engines, in units of their roundoff, which also covers the roundings of
// the bounds themselves.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <span>

#include "core/workload/workload.h"

namespace sscope {

inline constexpr double kInfiniteBound = std::numeric_limits<double>::infinity();

// All numbers from low to high, including infinite ends; none if low > high. Always NaN: none, and nan.
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
  // Whether exactly one of NaN, plus infinity, minus infinity, or a range of numbers is possible.
  [[nodiscard]] bool decided() const;
};

[[nodiscard]] inline Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.nan || b.nan, a.torn || b.torn};
}

// The roundings of an engine in one precision.
class IntervalRounding {
 public:
  explicit IntervalRounding(Precision precision);
  // The same without underflow: losses of subnormal numbers are not accepted.
  [[nodiscard]] IntervalRounding withoutUnderflow() const {
    IntervalRounding other = *this;
    other.smallest_ = 0;
    return other;
  }

  // Values of data: exact, but some engines treat subnormal numbers as zero.
  [[nodiscard]] Interval element(double value) const;
  // A number of the formula, converted to the precision.
  [[nodiscard]] Interval number(double value) const;
  // Widens exact bounds by `units` roundoffs of their size and, unless the exact bounds determine the sign, by the
  // smallest normal number. Numbers beyond the largest may become infinite.
  [[nodiscard]] Interval widened(Interval exact, double units) const;
  // As widened, or the value itself if engines compute it exactly: `value` without an error of its own in double
  // precision (`exact`), and held by the precision.
  [[nodiscard]] Interval rounded(double value, bool exact, double units) const;
  [[nodiscard]] double roundoff() const { return roundoff_; }
  [[nodiscard]] double smallest() const { return smallest_; }

 private:
  [[nodiscard]] bool holds(double value) const;
  bool wide_;
  double roundoff_, smallest_, largest_;
};

// Used by every operation of every voxel, so it is inline.
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
  if (std::isinf(value)) {  // in single precision or another order it may be finite
    if (exact) return Interval::point(value);
    return value > 0 ? Interval{largest_, value, false, false} : Interval{value, -largest_, false, false};
  }
  return widened(Interval::point(value), units);
}

// Sums, products, quotients, powers and all functions that rise or fall on intervals, each widened by its accepted
// error.

class IntervalArithmetic {
 public:
  // Accepted errors, in units of the roundoff (formula_interval.h).
  static constexpr double kSumUnits = 2, kQuotientUnits = 6, kRootUnits = 8, kFunctionUnits = 20, kPowerUnits = 48,
                          kEigenUnits = 64;

  explicit IntervalArithmetic(const IntervalRounding& rounding) : rounding_(rounding) {}

  [[nodiscard]] Interval sum(const Interval& a, const Interval& b) const {
    if (a.isPoint() && b.isPoint()) {
      const double value = a.low + b.low, back = value - a.low;
      const double error = (a.low - (value - back)) + (b.low - back);  // of the sum (O. Møller, D. Knuth)
      return rounding_.rounded(value, error == 0 || std::isinf(a.low) || std::isinf(b.low), kSumUnits);
    }
    Interval result{a.low + b.low, a.high + b.high, false, false};
    const bool opposite = (a.high == kInfiniteBound && b.low == -kInfiniteBound) ||
                          (a.low == -kInfiniteBound && b.high == kInfiniteBound);
    if (std::isnan(result.low)) result.low = -kInfiniteBound;
    if (std::isnan(result.high)) result.high = kInfiniteBound;
    return marked(rounding_.widened(result, kSumUnits), a, b, opposite);
  }

  [[nodiscard]] static Interval negated(const Interval& a) { return {-a.high, -a.low, a.nan, a.torn}; }

  [[nodiscard]] Interval product(const Interval& a, const Interval& b) const {
    if (a.isPoint() && b.isPoint()) {
      const double value = a.low * b.low;
      const bool exact = std::isfinite(value)
                             ? std::fma(a.low, b.low, -value) == 0 && (value != 0 || a.low == 0 || b.low == 0)
                             : std::isinf(a.low) || std::isinf(b.low);
      return rounding_.rounded(value, exact, kSumUnits);
    }
    const auto times = [](double x, double y) { return x == 0 || y == 0 ? 0 : x * y; };
    const bool nan = (a.contains(0) && infinite(b)) || (b.contains(0) && infinite(a));
    return marked(
        rounding_.widened(
            ends({times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)}), kSumUnits),
        a, b, nan);
  }

  [[nodiscard]] Interval quotient(const Interval& a, const Interval& b) const {
    if (a.isPoint() && b.isPoint()) {
      const double value = a.low / b.low;
      return rounding_.rounded(value, b.low == 0 || a.low == 0 || std::isinf(a.low) || std::isinf(b.low),
                               kQuotientUnits);
    }
    const bool nan = (a.contains(0) && b.contains(0)) || (infinite(a) && infinite(b));
    if (b.contains(0)) return marked({-kInfiniteBound, kInfiniteBound, false, false}, a, b, nan);
    const auto over = [](double x, double y) { return std::isinf(y) ? (std::isinf(x) ? x * y : 0) : x / y; };
    Interval result = ends({over(a.low, b.low), over(a.low, b.high), over(a.high, b.low), over(a.high, b.high)});
    if (infinite(a) && infinite(b)) result = hull(result, Interval::point(0));
    return marked(rounding_.widened(result, kQuotientUnits), a, b, nan);
  }

  // For a function that is monotonic where it is defined, from `low` to `high`.
  template <class F>
  [[nodiscard]] Interval monotone(const Interval& a, F f, double units, double low = -kInfiniteBound,
                                  double high = kInfiniteBound) const {
    if (a.high < low || a.low > high) return Interval::nothingButNan();
    const double first = f(std::max(a.low, low)), last = f(std::min(a.high, high));
    const bool sure =
        a.isPoint() && (first == 0 || std::isinf(first)) && !(std::isinf(first) && std::isfinite(a.low) && a.low != 0);
    if (sure) return rounding_.rounded(first, true, units);
    return marked(rounding_.widened(ends({first, last}), units), a, a, a.low < low || a.high > high);
  }

  [[nodiscard]] Interval power(const Interval& a, const Interval& b) const {
    if (a.isPoint() && b.isPoint()) {
      const double value = std::pow(a.low, b.low);
      return rounding_.rounded(value,
                               value == 0          ? a.low == 0
                               : std::isinf(value) ? a.low == 0 || std::isinf(a.low) || std::isinf(b.low)
                                                   : b.low == 0,
                               kPowerUnits);
    }
    const auto f = [](double x, double y) { return std::pow(x, y); };
    if (a.low > 0)  // a product of b and a logarithm: its extremes lie in corners
      return marked(rounding_.widened(ends({f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)}),
                                      kPowerUnits),
                    a, b, false);
    const bool whole = b.isPoint() && b.low == std::floor(b.low) && std::abs(b.low) < 0x1p52;
    if (!whole) {
      if (a.low < 0) return marked({-kInfiniteBound, kInfiniteBound, false, false}, a, b, true);
      Interval result = ends({f(a.high, b.low), f(a.high, b.high)});
      if (b.high > 0) result = hull(result, Interval::point(0));
      if (b.contains(0)) result = hull(result, Interval::point(1));
      if (b.low < 0) result = hull(result, Interval::point(kInfiniteBound));
      return marked(rounding_.widened(result, kPowerUnits), a, b, false);
    }
    if (b.low < 0) return quotient(Interval::point(1), wholePower(a, -b.low, kPowerUnits));
    return wholePower(a, b.low, kPowerUnits);
  }

  // For exponents from 0.
  [[nodiscard]] Interval wholePower(const Interval& a, double exponent, double units) const {
    const auto f = [&](double x) { return exponent == 2 ? x * x : std::pow(x, exponent); };
    Interval result = ends({f(a.low), f(a.high)});
    const bool even = exponent == 2 || (exponent > 0 && std::fmod(exponent, 2) == 0);
    if (even && a.contains(0)) result = hull(result, Interval::point(0));
    return marked(rounding_.widened(result, units), a, a, false);
  }

  [[nodiscard]] Interval wholePower(const Interval& a, int exponent) const {
    if (exponent == 0) return Interval::point(1);
    if (a.empty()) return a;
    const int count = std::abs(exponent);
    Interval result = a;
    if (a.isPoint()) {
      for (int i = 1; i < count; ++i) result = product(result, a);
    } else if (count > 1) {
      result = wholePower(a, count, 2.0 * count);
    }
    return exponent < 0 ? quotient(Interval::point(1), result) : result;
  }

  // floor, ceil, round, sign: jumps, and nothing to round.
  template <class F>
  [[nodiscard]] Interval steps(const Interval& a, F f) const {
    Interval result{f(a.low), f(a.high), a.nan, a.torn};
    result.torn = result.torn || result.low != result.high;
    return result;
  }

  [[nodiscard]] static Interval absolute(const Interval& a) {
    Interval result = a;
    if (a.high <= 0) result = negated(a);
    if (a.low < 0 && a.high > 0) result.low = 0, result.high = std::max(-a.low, a.high);
    if (result.low == 0) result.low = 0;  // no sign
    return result;
  }

  [[nodiscard]] Interval extreme(std::span<const Interval> arguments, bool largest) const {
    Interval result = arguments[0];
    for (const Interval& next : arguments.subspan(1)) {
      if (result.empty() || next.empty()) return Interval::nothingButNan();
      const bool zeros = result.contains(0) && next.contains(0);
      const auto f = [&](double a, double b) { return largest ? std::max(a, b) : std::min(a, b); };
      const bool both = result.torn && next.torn;
      const bool mine = largest ? next.low > result.high : next.high < result.low;
      const bool others = largest ? result.low > next.high : result.high < next.low;
      const bool torn = both || (result.torn && !mine) || (next.torn && !others);
      result = {f(result.low, next.low), f(result.high, next.high), result.nan || next.nan, torn};
      if (zeros && result.low == 0 && result.high == 0)  // the sign of the zero is unknown
        result.low = -rounding_.smallest(), result.high = rounding_.smallest();
    }
    return result;
  }

 protected:
  static bool infinite(const Interval& a) { return std::isinf(a.low) || std::isinf(a.high); }

  static Interval ends(std::initializer_list<double> values) {
    return {std::min(values), std::max(values), false, false};
  }

  // Adds the flags of the arguments.
  static Interval marked(Interval result, const Interval& a, const Interval& b, bool nan) {
    result.nan = result.nan || nan || a.nan || b.nan;
    result.torn = result.torn || a.torn || b.torn;
    return result;
  }

  const IntervalRounding& rounding_;
};

}  // namespace sscope
