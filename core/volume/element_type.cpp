#include "core/volume/element_type.h"

#include <limits>
#include <type_traits>

namespace sscope {

namespace {
constexpr std::string_view kTypeNames[] = {"u8", "i8", "u16", "i16", "u32", "i32", "f32", "f64"};
}

std::string_view toString(ElementType type) { return kTypeNames[static_cast<std::size_t>(type)]; }

std::optional<ElementType> parseElementType(std::string_view text) {
  for (const ElementType type : kElementTypes)
    if (toString(type) == text) return type;
  return std::nullopt;
}

std::size_t bytesOf(ElementType type) {
  return dispatch(type, [](auto tag) { return sizeof(tag); });
}

bool isInteger(ElementType type) {
  return dispatch(type, [](auto tag) { return std::is_integral_v<decltype(tag)>; });
}

double lowestOf(ElementType type) {
  return dispatch(type, [](auto tag) { return static_cast<double>(std::numeric_limits<decltype(tag)>::lowest()); });
}

double highestOf(ElementType type) {
  return dispatch(type, [](auto tag) { return static_cast<double>(std::numeric_limits<decltype(tag)>::max()); });
}

}  // namespace sscope
