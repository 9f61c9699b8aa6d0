#pragma once

#include <string>

namespace sscope {

// Whether a path of data (a file, a folder, a pattern of slices; a choice may stand behind it) leads to anything.
[[nodiscard]] bool isThere(const std::string& name);

}  // namespace sscope
