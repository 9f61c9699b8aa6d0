#pragma once
// Headers that refer to other files (nhdr, mhd): the references are checked before any decoder follows them.

#include <filesystem>
#include <string>
#include <vector>

namespace sscope::io {

// The data files that the header names, in order; numbered patterns stay patterns.
[[nodiscard]] std::vector<std::string> detachedNames(const std::string& headerPath);

// Throws Error(Unsupported) when a header names data outside its own folder, Error(NotFound) when the data is missing.
void requireDataInside(const std::string& headerPath, const std::string& name);

// The data file that belongs to a written .nhdr or .mhd header; empty for single-file formats.
[[nodiscard]] std::filesystem::path dataBesideHeader(const std::filesystem::path& path);

}  // namespace sscope::io
