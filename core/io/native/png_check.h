#pragma once
// Checks the header of a PNG file. libpng ends the program for some of those that make no sense, because ITK listens to
// it only while pixels are read.

#include <string>

namespace sscope::io {

// Everything before the pixels. Throws Error(BadData), Error(Unsupported) for extents that libpng refuses, Error(Io).
void requirePngHeader(const std::string& path);

}  // namespace sscope::io
