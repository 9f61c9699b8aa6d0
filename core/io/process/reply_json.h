#pragma once
// JSON of replies: what each kind of reply writes and checks alike.

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace sscope::io {

// Characters of what a file says, for people to read.
inline constexpr std::size_t kLongestText = 4096;

// File names and library messages need not be UTF-8.
[[nodiscard]] std::string dumped(const nlohmann::json& object);
[[nodiscard]] std::string shortText(const std::string& text);
// Not too many of them, either.
[[nodiscard]] std::vector<std::string> shortTexts(std::vector<std::string> texts);

// What follows throws std::exception for JSON of another shape.

// Nothing that breaks lines or steers a terminal.
[[nodiscard]] std::string shownText(const nlohmann::json& value);
[[nodiscard]] std::vector<std::string> noticesOf(const nlohmann::json& value);

// Of JSON's numbers only these become integers: what a fraction or 1e30 would be converted to is nobody's meaning.
template <class Integer>
Integer wholeOf(const nlohmann::json& value) {
  if (!value.is_number_integer()) throw std::domain_error("a number that is not whole");
  if (value.is_number_unsigned() && !std::in_range<Integer>(value.get<std::uint64_t>()))
    throw std::domain_error("a number that is too large");
  const auto number = value.get<std::int64_t>();
  if (!std::in_range<Integer>(number)) throw std::domain_error("a number that does not fit");
  return static_cast<Integer>(number);
}

template <class Integer>
std::array<Integer, 4> fourOf(const nlohmann::json& list) {
  if (!list.is_array() || list.size() != 4) throw std::domain_error("not four numbers");
  return {wholeOf<Integer>(list[0]), wholeOf<Integer>(list[1]), wholeOf<Integer>(list[2]), wholeOf<Integer>(list[3])};
}

// {"error", "kind"} and back.
[[nodiscard]] nlohmann::json errorJson(const Error& error);
[[nodiscard]] Error errorFrom(const nlohmann::json& object);

// Empty for what is no object; `take` may throw.
template <class Reply, class Take>
[[nodiscard]] Reply decoded(const std::string& text, Take take) {
  const auto object = nlohmann::json::parse(text, nullptr, false);
  if (!object.is_object()) return {};
  try {
    return take(object);
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace sscope::io
