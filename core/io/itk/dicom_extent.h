#pragma once
// Checks that the pixels of a DICOM file are complete. GDCM replaces missing pixels by zeros without an error that ITK
// would pass on.

#include <string>

namespace sscope::io {

// Throws Error(BadData), saying how much is missing, when the element with the pixels is longer than the file, shorter
// than the picture, or a truncated sequence of compressed fragments. Files that it cannot parse (deflated or damaged
// otherwise) pass: the decoder reports those.
void requireDicomPixels(const std::string& path);

}  // namespace sscope::io
