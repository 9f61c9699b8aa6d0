#pragma once
// VTK XML image data, appended raw: our own writer, in pieces and without a copy of the voxels.

#include <filesystem>

#include "core/base/control.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

void writeVti(const std::filesystem::path& path, const VolumeOutline& volume, const VoxelPieces& voxels,
              const Control& control);

}  // namespace sscope::io
