#pragma once
// Detects a file's format from its first bytes, then from its name.

#include <string>

#include "core/io/base/formats.h"
#include "core/io/base/input_file.h"

namespace sscope::io {

inline constexpr const char* kNpyMagic = "\x93NUMPY";  // the first bytes of NumPy arrays

// Throws Error(BadData) for a git-lfs pointer and for content that does not match the name, Error(Unsupported) for an
// unknown format. The second opens the file and throws as InputFile, too.
[[nodiscard]] FormatId sniffFormat(const InputFile& file);
[[nodiscard]] FormatId sniffFormat(const std::string& path);
// The format of a microscope vendor that a file is in, as "a Zeiss file (CZI)"; empty: none, or it cannot be read.
[[nodiscard]] std::string makersFormat(const std::string& path);

}  // namespace sscope::io
