#pragma once
// What a caught exception says to people.

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>

namespace sscope {

// One sentence: an Error's own, and one for memory that ran out, of which the library says "std::bad_alloc" only.
[[nodiscard]] std::string wordsOf(const std::exception& error);

// In one line that moves no cursor: control characters, separators of lines and marks of direction, which names of
// files and what stands in them can hold, become '?'.
[[nodiscard]] std::string inOneLine(std::string_view text);

// At most `most` bytes of a text of UTF-8 in whole characters; "…" stands for what is cut off.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

}  // namespace sscope
