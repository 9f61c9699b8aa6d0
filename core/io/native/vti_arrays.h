#pragma once
// Checks that a .vti file holds the arrays that its header promises. VTK fills up what is missing with zeros, and takes
// the first character that is no base64 for the end.

#include <string>

namespace sscope::io {

// Looks at the arrays of points and cells: lengths, numbers written as text, base64; not inside what is compressed,
// which its decoder checks. Throws Error(BadData) where one is shorter or longer than its piece's extent says, where
// pieces or extents make no sense, and where the file does not end as it should. Other files pass.
void requireVtiArrays(const std::string& path);

}  // namespace sscope::io
