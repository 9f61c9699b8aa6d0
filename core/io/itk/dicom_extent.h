#pragma once
// Whether the pixels of a DICOM file are all there. GDCM fills up what is missing with zeros and says nothing that ITK
// would pass on.

#include <string>

namespace sscope::io {

// Throws Error(BadData), saying how much is missing, when the element with the pixels is longer than the file, shorter
// than the picture, or a row of compressed pieces that breaks off. Passes files that cannot be followed so far
// (deflated ones, other damage): they are the decoder's business.
void requireDicomPixels(const std::string& path);

}  // namespace sscope::io
