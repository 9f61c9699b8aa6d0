#pragma once
// Our own MetaImage writer: ITK would name the data file of a .mhd after the temporary header, and ignores a full disk.

#include <filesystem>

#include "core/base/control.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// .mha: one file, compressed with zlib when `compress` is set. .mhd: a header and `name.raw` next to it.
void writeMeta(const std::filesystem::path& path, const VolumeOutline& volume, const VoxelPieces& voxels, bool compress,
               const Control& control);

}  // namespace sscope::io
