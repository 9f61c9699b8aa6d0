#pragma once
// Headers that point at other files (nhdr, mhd): what they point at is checked before any decoder follows.

#include <string>

namespace sscope::io {

// Throws Error(Unsupported) when the header names data outside its own folder, Error(NotFound) when the data is
// missing. Files whose data is in the same file pass.
void checkDetachedData(const std::string& headerPath);

// The same for one name that the header gives.
void requireDataInside(const std::string& headerPath, const std::string& name);

}  // namespace sscope::io
