#pragma once
// Shortens compiler logs for error messages.

#include <string>

namespace sscope {

// The first `count` lines that are not blank, joined by " | ".
[[nodiscard]] std::string firstLines(const std::string& text, int count);

}  // namespace sscope
