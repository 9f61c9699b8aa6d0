#pragma once
// What a decoder in the hands of a file would try, and what it finds around itself.

#include <string>
#include <vector>

namespace sscope::io {

// "name: allowed" or "name: refused" for each attempt, harmless where it succeeds. `path` is the file that it was
// started for; "its own file" must be allowed.
[[nodiscard]] std::vector<std::string> tryToEscape(const std::string& path);

// "name: value" of the environment, of limits and of open descriptors.
[[nodiscard]] std::vector<std::string> surroundings();

}  // namespace sscope::io
