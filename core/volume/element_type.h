#pragma once
// The element types of images and volumes.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sscope {

enum class ElementType : std::uint8_t { u8, i8, u16, i16, u32, i32, f32, f64 };

inline constexpr ElementType kElementTypes[] = {ElementType::u8,  ElementType::i8,  ElementType::u16, ElementType::i16,
                                                ElementType::u32, ElementType::i32, ElementType::f32, ElementType::f64};

// "u8" ... "f64", the spelling of the command line and of JSON.
[[nodiscard]] std::string_view toString(ElementType type);
[[nodiscard]] std::optional<ElementType> parseElementType(std::string_view text);
[[nodiscard]] std::size_t bytesOf(ElementType type);
[[nodiscard]] bool isInteger(ElementType type);
// Smallest and largest value; for f32 and f64 the finite range.
[[nodiscard]] double lowestOf(ElementType type);
[[nodiscard]] double highestOf(ElementType type);

template <class T>
struct ElementTypeOf;
template <>
struct ElementTypeOf<std::uint8_t> {
  static constexpr ElementType value = ElementType::u8;
};
template <>
struct ElementTypeOf<std::int8_t> {
  static constexpr ElementType value = ElementType::i8;
};
template <>
struct ElementTypeOf<std::uint16_t> {
  static constexpr ElementType value = ElementType::u16;
};
template <>
struct ElementTypeOf<std::int16_t> {
  static constexpr ElementType value = ElementType::i16;
};
template <>
struct ElementTypeOf<std::uint32_t> {
  static constexpr ElementType value = ElementType::u32;
};
template <>
struct ElementTypeOf<std::int32_t> {
  static constexpr ElementType value = ElementType::i32;
};
template <>
struct ElementTypeOf<float> {
  static constexpr ElementType value = ElementType::f32;
};
template <>
struct ElementTypeOf<double> {
  static constexpr ElementType value = ElementType::f64;
};

// Calls f(T{}) with the C++ type behind `type`; the only place where run-time types become static ones.
template <class F>
decltype(auto) dispatch(ElementType type, F&& f) {
  switch (type) {
    case ElementType::u8: return std::forward<F>(f)(std::uint8_t{});
    case ElementType::i8: return std::forward<F>(f)(std::int8_t{});
    case ElementType::u16: return std::forward<F>(f)(std::uint16_t{});
    case ElementType::i16: return std::forward<F>(f)(std::int16_t{});
    case ElementType::u32: return std::forward<F>(f)(std::uint32_t{});
    case ElementType::i32: return std::forward<F>(f)(std::int32_t{});
    case ElementType::f32: return std::forward<F>(f)(float{});
    case ElementType::f64: break;
  }
  return std::forward<F>(f)(double{});
}

// Conversion of a sum to the output type, shared by every engine and the reference.

// The nearest value of a type with the same or fewer digits; infinite beyond its range.
template <class T>
[[nodiscard]] inline T narrowed(double value) {
  static_assert(std::is_floating_point_v<T>);
  constexpr double most = std::numeric_limits<T>::max();
  // More than half a unit above the largest number the conversion is undefined behavior.
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
