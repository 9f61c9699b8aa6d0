#pragma once

#include <string>

namespace sscope {

// Whether a data path (a file, folder or pattern of slices, with or without a selection) exists.
[[nodiscard]] bool isThere(const std::string& name);

}  // namespace sscope
