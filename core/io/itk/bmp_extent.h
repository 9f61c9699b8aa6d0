#pragma once
// Checks that the pixels of a BMP file are complete. ITK repeats the row before in place of one that is not there.

#include <string>

namespace sscope::io {

// Throws Error(BadData) where the file has fewer bytes than its header claims, many more than that, or packed pixels
// that end early or leave the picture. Headers that it does not know pass: the decoder reports those. Throws
// Error(NotFound, Io).
void requireBmpPixels(const std::string& path);

}  // namespace sscope::io
