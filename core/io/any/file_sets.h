#pragma once
// Which files an input consists of and which files an output writes, so that outputs never replace inputs.

#include <filesystem>
#include <string>
#include <vector>

#include "core/io/base/input_file.h"

namespace sscope::io {

// Every file that reading `name` (a file, a folder, a pattern of slices, with or without a choice behind it) would
// read, itself first. Headers are read only for the names of their data files; where that fails, the result is the path
// alone. Does not throw.
[[nodiscard]] std::vector<std::filesystem::path> filesRead(const std::string& name);

// Whether voxels of this file may lie in other files.
[[nodiscard]] bool mayHaveDataFiles(const InputFile& file);

// `path`, and the separate data file of its format (.nhdr, .mhd, raw + JSON).
[[nodiscard]] std::vector<std::filesystem::path> filesWritten(const std::filesystem::path& path);

}  // namespace sscope::io
