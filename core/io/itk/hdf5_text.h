#pragma once
// Texts about an HDF5 file: attributes of its root, which ITK leaves alone.

#include <filesystem>
#include <string>

#include "core/volume/volume_io.h"

namespace sscope::io {

// What its values mean and how it was made.
void takeTextsOfHdf5(const std::string& path, VolumeInfo& info);
// Into a file that is complete and closed, called `shown`. Throws Error(Io).
void putTextsOfHdf5(const std::filesystem::path& file, const std::filesystem::path& shown, const Metadata& metadata);

}  // namespace sscope::io
