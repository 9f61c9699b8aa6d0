#pragma once
// Which files an input consists of, and which an output becomes: for those who must not replace the one with the other.

#include <filesystem>
#include <string>
#include <vector>

namespace sscope::io {

// Every file that reading `name` (a file, a folder, a pattern of slices, with or without a choice behind it) would
// read, itself first. Headers are looked into only as far as the names of their data files; where that fails the path
// stands alone. Does not throw.
[[nodiscard]] std::vector<std::filesystem::path> filesRead(const std::string& name);

// `path`, and the data file that its format puts beside it (.nhdr, .mhd, raw + JSON).
[[nodiscard]] std::vector<std::filesystem::path> filesWritten(const std::filesystem::path& path);

// The data file of a header that is written as .nhdr or .mhd; empty for formats that keep both in one file.
[[nodiscard]] std::filesystem::path dataBesideHeader(const std::filesystem::path& path);

}  // namespace sscope::io
