#pragma once
// Whether a JPEG file is all there. libjpeg paints what is missing gray and calls that a warning, which ITK does not
// pass on.

#include <string>

namespace sscope::io {

// Whether the picture ends with its end marker. Pictures inside its metadata (thumbnails) do not count. Files that are
// damaged otherwise may pass: they are the decoder's business. Throws Error(NotFound, Io).
[[nodiscard]] bool endsAsJpeg(const std::string& path);

}  // namespace sscope::io
