#pragma once

#include <string>

namespace sscope::io {

// The text of a header's line without white space around it.
[[nodiscard]] inline std::string trimmed(const std::string& text) {
  constexpr const char* kSpace = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

}  // namespace sscope::io
