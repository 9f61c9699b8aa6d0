#pragma once
// Names in the text of a formula.

#include <string>
#include <string_view>

namespace sscope {

// The text with every input `from` called `to`, in quotes where `to` is no word; as it is where it is no formula.
[[nodiscard]] std::string renamedInput(std::string_view text, std::string_view from, std::string_view to);

}  // namespace sscope
