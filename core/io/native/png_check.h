#pragma once
// Checks the header of a PNG file. libpng ends the program for some of those that make no sense, because ITK listens to
// it only while pixels are read.

#include <cstdint>
#include <string>
#include <string_view>

namespace sscope::io {

// Everything before the pixels. Throws Error(BadData), Error(Unsupported) for extents that libpng refuses, Error(Io).
void requirePngHeader(const std::string& path);
// Of a chunk's name and content, as PNG has it: of polynomial 0xedb88320, bits reflected.
[[nodiscard]] std::uint32_t pngChecksum(std::string_view text);

}  // namespace sscope::io
