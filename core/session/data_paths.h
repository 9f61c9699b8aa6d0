#pragma once

#include <string>

namespace sscope {

// Whether a path of data (a file, a folder, a pattern of slices) leads to anything.
[[nodiscard]] bool isThere(const std::string& path);

}  // namespace sscope
