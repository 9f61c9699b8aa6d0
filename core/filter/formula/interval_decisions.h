#pragma once
// Questions to intervals that are answered by yes or no, as far as roundings leave no doubt: nothing where the answer
// is open.

#include <cmath>
#include <optional>

#include "core/filter/formula/interval.h"

namespace sscope::decide {

// 0 or 1 as a decision between two intervals; nothing where it is open.
[[nodiscard]] inline std::optional<bool> less(const Interval& a, const Interval& b, bool orEqual) {
  if (a.empty() || b.empty()) return false;
  const bool unordered = a.nan || b.nan;
  if (orEqual ? a.low > b.high : a.low >= b.high) return false;
  if (!unordered && (orEqual ? a.high <= b.low : a.high < b.low)) return true;
  return std::nullopt;
}
[[nodiscard]] inline std::optional<bool> equal(const Interval& a, const Interval& b) {
  if (a.empty() || b.empty() || a.high < b.low || b.high < a.low) return false;
  if (a.isPoint() && b.isPoint()) return true;
  return std::nullopt;
}
[[nodiscard]] inline std::optional<bool> truth(const Interval& a) {
  if (a.empty() || a.low > 0 || a.high < 0) return true;  // NaN is true, too
  if (a.low == 0 && a.high == 0 && !a.nan) return false;
  return std::nullopt;
}
[[nodiscard]] inline std::optional<bool> finite(const Interval& a) {
  if (a.empty() || (a.low == a.high && std::isinf(a.low))) return false;
  if (!a.nan && std::isfinite(a.low) && std::isfinite(a.high)) return true;
  return std::nullopt;
}
[[nodiscard]] inline std::optional<bool> isNan(const Interval& a) {
  if (a.empty()) return true;
  if (!a.nan) return false;
  return std::nullopt;
}
[[nodiscard]] inline std::optional<bool> inverse(std::optional<bool> a) {
  if (!a) return a;
  return !*a;
}
[[nodiscard]] inline Interval decision(std::optional<bool> known) {
  if (known) return Interval::point(*known ? 1 : 0);
  return {0, 1, false, true};
}
[[nodiscard]] inline Interval both(std::optional<bool> a, std::optional<bool> b) {
  if ((a && !*a) || (b && !*b)) return Interval::point(0);
  return decision(a && b ? std::optional(true) : std::nullopt);
}

// Branches that overlap belong to a continuous function; others leave a jump.
[[nodiscard]] inline Interval choice(std::optional<bool> condition, const Interval& yes, const Interval& no) {
  if (condition) return *condition ? yes : no;
  Interval result = hull(yes, no);
  const bool overlap = !yes.empty() && !no.empty() && yes.low <= no.high && no.low <= yes.high;
  if (!overlap && !(yes.empty() && no.empty())) result.torn = true;
  return result;
}
}  // namespace sscope::decide
