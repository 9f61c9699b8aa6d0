#pragma once
// The layouts of files of all formats whose voxels lie in a known order.

#include <filesystem>

#include "core/io/planes/file_layout.h"

namespace sscope::io {

// Whether planes of a file of this name have their place before any is written; its extension decides.
[[nodiscard]] bool hasLayout(const std::filesystem::path& path);
// Whether its voxels are packed as one stream, so that planes follow each other.
[[nodiscard]] bool hasPackedLayout(const std::filesystem::path& path, bool compress);

// What VolumeIo::write makes of such a volume, to the last byte but for the packed ones. Throws Error(Unsupported)
// where the format cannot hold the volume, and where it has none of the layouts above.
[[nodiscard]] FileLayout layoutOf(const std::filesystem::path& path, const VolumeOutline& volume,
                                  const WriteOptions& options);

}  // namespace sscope::io
