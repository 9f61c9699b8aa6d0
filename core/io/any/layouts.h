#pragma once
// The layouts of files of all formats whose planes have their place before any is written.

#include <filesystem>

#include "core/io/planes/file_layout.h"

namespace sscope::io {

// Whether files of this name are such files; their extension decides.
[[nodiscard]] bool hasLayout(const std::filesystem::path& path);

// What VolumeIo::write makes of such a volume, to the last byte. Throws Error(Unsupported) where it would, and where
// hasLayout() is false or options.compress is set.
[[nodiscard]] FileLayout layoutOf(const std::filesystem::path& path, const VolumeOutline& volume,
                                  const WriteOptions& options);

}  // namespace sscope::io
