#pragma once
// MRC and CCP4 files of electron microscopy: a header of 1024 bytes, perhaps another behind it, and voxels.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/base/decoder.h"
#include "core/io/base/mrc_header.h"
#include "core/io/base/stored_voxels.h"

namespace sscope::io {

// Modes 0, 1, 2, 6 and 12. Steps are cells by samples, in angstrom.
[[nodiscard]] LocatedVolume locateMrc(const std::string& path);
[[nodiscard]] VolumeInfo readMrc(const std::string& path, const AllocateVoxels& allocate, const Control& control);

// What is before the voxels. The range of values is left open, as the format allows.
[[nodiscard]] std::vector<std::byte> formatMrcHeader(const VolumeOutline& volume);
void writeMrc(const std::filesystem::path& path, const VolumeOutline& volume, const VoxelPieces& voxels,
              const WriteOptions& options, const Control& control);

}  // namespace sscope::io
