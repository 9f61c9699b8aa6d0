#pragma once
// Conversion of a sum to the output type, shared by every engine and the reference.

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace sscope {

// The nearest of a type of the same or fewer digits, an infinity beyond its range.
template <class T>
[[nodiscard]] inline T narrowed(double value) {
  static_assert(std::is_floating_point_v<T>);
  constexpr double most = std::numeric_limits<T>::max();
  // Beyond half a unit above the largest number the conversion is undefined by the language.
  constexpr double edge = std::is_same_v<T, float> ? 0x1.ffffffp127 : std::numeric_limits<double>::infinity();
  if (std::abs(value) <= most || std::isnan(value)) return static_cast<T>(value);
  return std::copysign(std::abs(value) < edge ? std::numeric_limits<T>::max() : std::numeric_limits<T>::infinity(),
                       static_cast<T>(std::copysign(1.0, value)));
}

// Integer outputs: round to nearest, ties up, then saturate; a value within kTieBand below a tie counts as
// the tie, so that the result does not depend on the order in which a sum was rounded
// (docs/dev/decisions/002-integer-rounding.md). NaN becomes 0 and counts as saturated.
inline constexpr double kTieBand = 1.0 / (1 << 20);

template <class T>
[[nodiscard]] inline T roundSaturate(double value, bool& saturated) {
  if constexpr (std::is_floating_point_v<T>) {
    saturated = false;
    return narrowed<T>(value);
  } else {
    constexpr auto low = static_cast<double>(std::numeric_limits<T>::lowest());
    constexpr auto high = static_cast<double>(std::numeric_limits<T>::max());
    const double rounded = std::floor(value + (0.5 + kTieBand));
    saturated = !(rounded >= low && rounded <= high);
    if (std::isnan(rounded)) return T{0};
    return static_cast<T>(std::clamp(rounded, low, high));
  }
}

}  // namespace sscope
