#pragma once
// VTK XML image data, appended raw: our own writer, in pieces and without a copy of the voxels.

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/control.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// The text before the voxels, whose number of bytes (u64) comes first, and that after them.
[[nodiscard]] std::string formatVtiHeader(const VolumeOutline& volume, const Metadata& metadata);
inline constexpr std::string_view kVtiEnd = "\n</AppendedData>\n</VTKFile>\n";

void writeVti(const std::filesystem::path& path, const VolumeOutline& volume, const VoxelPieces& voxels,
              const WriteOptions& options, const Control& control);

}  // namespace sscope::io
