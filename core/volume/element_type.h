#pragma once
// The element types of images and volumes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
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

}  // namespace sscope
