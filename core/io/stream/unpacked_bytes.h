#pragma once
// Compressed voxels, unpacked or decoded by the confined reader as they are asked for.

#include <filesystem>
#include <memory>
#include <string>

#include "core/io/planes/voxel_bytes.h"
#include "core/io/process/watch.h"

namespace sscope::io {

// Read from front to back: going back starts the reader again, and so does going far ahead where it can begin at any
// plane (Packing::Planes). Throws Error(NotFound, Io).
[[nodiscard]] std::unique_ptr<VoxelBytes> unpackedBytes(const std::filesystem::path& program, const std::string& name,
                                                        const StoredVoxels& voxels, const ReaderLimits& limits);

}  // namespace sscope::io
