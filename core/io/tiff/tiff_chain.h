#pragma once
// The chain of a TIFF file's directories. libtiff takes one that breaks off for one that ends, and tags whose values
// are cut off for tags that are not there.

#include <string>

namespace sscope::io {

// Throws Error(BadData) when a directory, the place of the next one behind it, or what says how large pixels are, lies
// outside the file.
void requireTiffChain(const std::string& path);

}  // namespace sscope::io
