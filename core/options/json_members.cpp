#include "core/options/json_members.h"

#include "core/base/error.h"

namespace sscope::json_members {

using nlohmann::json;

[[noreturn]] void bad(const std::string& what) {
  throw Error(ErrorKind::BadData, "the session is not valid: " + what,
              "see docs/manual/file-formats.md for the format");
}

const json* member(const json& object, const char* key, bool (json::*is)() const noexcept, const char* kind) {
  if (!object.contains(key) || object.at(key).is_null()) return nullptr;
  if (!(object.at(key).*is)()) bad("\"" + std::string(key) + "\" must be " + kind);
  return &object.at(key);
}

std::string text(const json& object, const char* key, const std::string& fallback) {
  const json* value = member(object, key, &json::is_string, "a string");
  return value ? value->get<std::string>() : fallback;
}

std::int64_t whole(const json& object, const char* key, std::int64_t fallback, std::int64_t low, std::int64_t high) {
  const json* value = member(object, key, &json::is_number_integer, "a whole number");
  if (!value) return fallback;
  if (value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(high))
    bad("\"" + std::string(key) + "\" is out of range");
  const auto n = value->get<std::int64_t>();
  if (n < low || n > high) bad("\"" + std::string(key) + "\" is out of range");
  return n;
}

std::string oneOf(const json& object, const char* key, const std::string& fallback,
                  std::initializer_list<const char*> allowed) {
  const std::string value = text(object, key, fallback);
  for (const char* candidate : allowed)
    if (value == candidate) return value;
  bad("\"" + std::string(key) + "\" has the unknown value " + value);
}

double number(const json& object, const char* key, double fallback, double low, double high) {
  const json* value = member(object, key, &json::is_number, "a number");
  if (!value) return fallback;
  const auto x = value->get<double>();
  if (!(x >= low && x <= high)) bad("\"" + std::string(key) + "\" is out of range");
  return x;
}

bool truth(const json& object, const char* key, bool fallback) {
  const json* value = member(object, key, &json::is_boolean, "true or false");
  return value ? value->get<bool>() : fallback;
}

}  // namespace sscope::json_members
