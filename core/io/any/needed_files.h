#pragma once
// The files that the reader program needs for a request; its sandbox blocks all others.

#include <filesystem>
#include <vector>

#include "core/io/process/protocol.h"

namespace sscope::io {

// The requested file and the files and folders (with their content) that belong to it. Reads only its header. The
// result may name files that do not exist.
[[nodiscard]] std::vector<std::filesystem::path> neededFor(const Request& request);

}  // namespace sscope::io
