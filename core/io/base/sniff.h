#pragma once
// Detects a file's format from its first bytes, then from its name.

#include <string>

#include "core/io/base/formats.h"

namespace sscope::io {

inline constexpr const char* kNpyMagic = "\x93NUMPY";  // with which arrays of NumPy begin

// Throws Error(NotFound) for a missing file; Error(BadData) for an empty file, for a git-lfs pointer and for content
// that does not match the name; Error(Unsupported) for an unknown format.
[[nodiscard]] FormatId sniffFormat(const std::string& path);
// The format of a microscope's maker that a file is in, as "a Zeiss file (CZI)"; empty: none, or it cannot be read.
[[nodiscard]] std::string makersFormat(const std::string& path);

}  // namespace sscope::io
