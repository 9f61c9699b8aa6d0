#pragma once
// Checked access to members of a session's JSON: missing and null members give the fallback; a wrong type or range
// throws Error(BadData) naming the member.

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>

namespace sscope::json_members {

[[noreturn]] void bad(const std::string& what);
// Null if missing. `kind` is the expected type, in words.
[[nodiscard]] const nlohmann::json* member(const nlohmann::json& object, const char* key,
                                           bool (nlohmann::json::*is)() const noexcept, const char* kind);
[[nodiscard]] std::string text(const nlohmann::json& object, const char* key, const std::string& fallback = {});
[[nodiscard]] std::int64_t whole(const nlohmann::json& object, const char* key, std::int64_t fallback, std::int64_t low,
                                 std::int64_t high);
[[nodiscard]] double number(const nlohmann::json& object, const char* key, double fallback, double low, double high);
[[nodiscard]] bool truth(const nlohmann::json& object, const char* key, bool fallback);
[[nodiscard]] std::string oneOf(const nlohmann::json& object, const char* key, const std::string& fallback,
                                std::initializer_list<const char*> allowed);

}  // namespace sscope::json_members
