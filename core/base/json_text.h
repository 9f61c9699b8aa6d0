#pragma once
// JSON written by hand, parsed; and JSON as a text that is safe within other texts.

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace sscope {

// Throws nlohmann::json's exceptions for text that is not JSON, and Error(BadData) for more than 200 levels and for a
// key that occurs twice in an object, because one of the two would be ignored silently.
[[nodiscard]] nlohmann::json parseJson(const std::string& text);

// One line of ASCII without < > and &: safe within XML and on a terminal.
[[nodiscard]] std::string plainJson(const nlohmann::json& object);

}  // namespace sscope
