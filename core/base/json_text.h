#pragma once
// JSON that people write by hand.

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace sscope {

// Throws nlohmann::json's exceptions for what is not JSON, and Error(BadData) for a key that stands twice in an object:
// one of the two would be left out, and nobody could know which.
[[nodiscard]] nlohmann::json parseJson(const std::string& text);

}  // namespace sscope
