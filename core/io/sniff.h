#pragma once
// What a file is, by its first bytes and then by its name; and the plain reasons why it cannot be read at all.

#include <string>

#include "core/io/formats.h"

namespace sscope::io {

// Throws Error(NotFound) for a missing file; Error(BadData) for an empty one, for a git-lfs pointer and for content
// that is not what the name says; Error(Unsupported) for what is no image format at all.
[[nodiscard]] FormatId sniffFormat(const std::string& path);

}  // namespace sscope::io
