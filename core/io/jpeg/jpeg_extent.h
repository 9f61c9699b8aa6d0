#pragma once
// Checks that a JPEG file is complete. libjpeg fills missing parts with gray and a warning that ITK does not pass on.

#include <string>

namespace sscope::io {

// Decodes the coded pixels without keeping them. Throws Error(BadData) where they end early or make no sense,
// Error(NotFound, Io).
void requireWholeJpeg(const std::string& path);

}  // namespace sscope::io
