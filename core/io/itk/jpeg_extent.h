#pragma once
// Checks that a JPEG file is complete. libjpeg fills missing parts with gray and a warning that ITK does not pass on.

#include <string>

namespace sscope::io {

// Whether the image ends with its end marker. Thumbnails in the metadata do not count. Files that are damaged otherwise
// may pass: the decoder reports those. Throws Error(NotFound, Io).
[[nodiscard]] bool endsAsJpeg(const std::string& path);

}  // namespace sscope::io
