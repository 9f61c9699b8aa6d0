#pragma once
// The chain of a TIFF file's directories. libtiff takes one that breaks off for one that ends.

#include <string>

namespace sscope::io {

// Throws Error(BadData) when a directory, or the place of the next one behind it, lies outside the file.
void requireTiffChain(const std::string& path);

}  // namespace sscope::io
