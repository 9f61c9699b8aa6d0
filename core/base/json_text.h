#pragma once
// Parsing JSON that people write by hand.

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace sscope {

// Throws nlohmann::json's exceptions for what is not JSON, and Error(BadData) for a key that occurs twice in an object,
// since one of the two would be silently ignored, and for more than 200 levels.
[[nodiscard]] nlohmann::json parseJson(const std::string& text);

}  // namespace sscope
