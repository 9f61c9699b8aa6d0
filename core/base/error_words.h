#pragma once
// What a caught exception says to people.

#include <exception>
#include <string>

namespace sscope {

// One sentence: an Error's own, and one for memory that ran out, of which the library says "std::bad_alloc" only.
[[nodiscard]] std::string wordsOf(const std::exception& error);

}  // namespace sscope
