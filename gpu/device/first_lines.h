#pragma once
// Compilers' logs, short enough for a sentence.

#include <string>

namespace sscope {

// The first `count` lines that are not blank, joined by " | ".
[[nodiscard]] std::string firstLines(const std::string& text, int count);

}  // namespace sscope
