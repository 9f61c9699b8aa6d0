#pragma once
// Messages for users, from caught exceptions.

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>

namespace sscope {

// One sentence: an Error's own, or one that explains std::bad_alloc and threads that cannot be
// started.
[[nodiscard]] std::string wordsOf(const std::exception& error);

// Makes untrusted text (file names, file contents) safe for one line of a terminal: control characters, line separators
// and direction marks become '?'.
[[nodiscard]] std::string inOneLine(std::string_view text);

// At most `most` bytes of a UTF-8 text, cut between characters; "…" marks the cut.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

}  // namespace sscope
