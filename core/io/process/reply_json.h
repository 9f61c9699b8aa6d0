#pragma once
// JSON helpers for all kinds of replies.

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/process/protocol.h"

namespace sscope::io {

// Longest text taken from a file, in bytes.
inline constexpr std::size_t kLongestText = 4096;

// The member of a reply that holds its protocol version.
inline constexpr const char* kVersionMember = "protocol";

// Serializes, with the version; invalid UTF-8, as in file names and library messages, is replaced.
[[nodiscard]] std::string dumped(nlohmann::json object);
[[nodiscard]] std::string shortText(const std::string& text);
// Cuts each text, and limits their number.
[[nodiscard]] std::vector<std::string> shortTexts(std::vector<std::string> texts);

// The functions below throw std::exception for JSON of another shape.

// A string without line breaks or terminal control characters.
[[nodiscard]] std::string shownText(const nlohmann::json& value);
[[nodiscard]] std::vector<std::string> noticesOf(const nlohmann::json& value);

// Accepts integers in range only; throws for fractions and for 1e30.
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

// Empty unless the text is an object of this protocol version; `take` may throw.
template <class Result, class Take>
[[nodiscard]] Result decoded(const std::string& text, Take take) {
  const auto object = nlohmann::json::parse(text, nullptr, false);
  if (!object.is_object() || object.value(kVersionMember, nlohmann::json()) != kProtocolVersion) return {};
  try {
    return take(object);
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace sscope::io
