#pragma once
// Checks the chain of a TIFF file's directories. libtiff treats a truncated chain as complete, and tags with truncated
// values as missing.

#include <string>

namespace sscope::io {

// Throws Error(BadData) when a directory, its link to the next one or the values that give the pixel size lie outside
// the file, and when the chain comes back to itself.
void requireTiffChain(const std::string& path);

}  // namespace sscope::io
