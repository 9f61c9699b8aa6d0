#pragma once
// Headers that point at other files (nhdr, mhd): what they point at is checked before any decoder follows.

#include <string>
#include <vector>

namespace sscope::io {

// Throws Error(Unsupported) when the header names data outside its own folder, Error(NotFound) when the data is
// missing. Files whose data is in the same file pass.
void checkDetachedData(const std::string& headerPath);

// The data files that the header names, in order; numbered patterns stay patterns.
[[nodiscard]] std::vector<std::string> detachedNames(const std::string& headerPath);

// The check of checkDetachedData for one name that the header gives.
void requireDataInside(const std::string& headerPath, const std::string& name);

}  // namespace sscope::io
