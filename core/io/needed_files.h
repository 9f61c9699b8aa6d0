#pragma once
// Which files an answer can depend on: the reader program gives up the rest.

#include <filesystem>
#include <vector>

#include "core/io/process/protocol.h"

namespace sscope::io {

// The files and folders (with all below) that decoding needs: the file that is asked for, and what belongs to it.
// Looks at its name and its header's lines only. What does not exist is named all the same.
[[nodiscard]] std::vector<std::filesystem::path> neededFor(const Request& request);

}  // namespace sscope::io
