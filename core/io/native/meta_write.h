#pragma once
// Our own MetaImage writer: ITK would name the data file of a .mhd after the temporary header, and ignores a full disk.

#include <filesystem>
#include <string>

#include "core/base/control.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// The data file of a header that its voxels follow.
inline constexpr const char* kMetaAttached = "LOCAL";
// The text before the voxels. With `compress` it has room for the number of compressed bytes.
[[nodiscard]] std::string formatMetaHeader(const VolumeOutline& volume, const Metadata& metadata,
                                           const std::string& dataFile, bool compress);

// .mha: one file, compressed with zlib when options.compress is set. .mhd: a header and `name.raw` next to it.
void writeMeta(const std::filesystem::path& path, const VolumeOutline& volume, const VoxelPieces& voxels,
               const WriteOptions& options, const Control& control);

}  // namespace sscope::io
