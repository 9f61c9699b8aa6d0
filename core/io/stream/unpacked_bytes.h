#pragma once
// Compressed voxels, unpacked by the confined reader as they are asked for.

#include <filesystem>
#include <memory>
#include <string>

#include "core/io/process/watch.h"
#include "core/io/stream/voxel_bytes.h"

namespace sscope::io {

// From front to back: going back starts the reader anew. Throws Error(NotFound, Io).
[[nodiscard]] std::unique_ptr<VoxelBytes> unpackedBytes(const std::filesystem::path& program, const std::string& name,
                                                        const StoredVoxels& voxels, const ReaderLimits& limits);

}  // namespace sscope::io
