#pragma once
// Parsing JSON that people write by hand, and writing it where other texts are around it.

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace sscope {

// Throws nlohmann::json's exceptions for what is not JSON, and Error(BadData) for a key that occurs twice in an object,
// since one of the two would be silently ignored, and for more than 200 levels.
[[nodiscard]] nlohmann::json parseJson(const std::string& text);

// One line of ASCII without < > and &: no text of XML, nor of a terminal, is in it.
[[nodiscard]] std::string plainJson(const nlohmann::json& object);

}  // namespace sscope
