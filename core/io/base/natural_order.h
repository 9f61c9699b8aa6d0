#pragma once
// Natural order of file names: slice_2 before slice_10.

#include <string>

namespace sscope::io {

[[nodiscard]] bool naturallyBefore(const std::string& a, const std::string& b);

}  // namespace sscope::io
