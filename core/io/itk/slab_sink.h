#pragma once
// Files that ITK writes plane by plane.

#include <filesystem>
#include <memory>

#include "core/io/base/formats.h"
#include "core/volume/volume_stream.h"

namespace sscope::io {

// For formats whose planes ITK writes in any order: HDF5. Makes the file; its room on the disk is held for it until it
// is written. Throws Error(Io), with the bytes that are needed and free where these are too few, Canceled.
[[nodiscard]] std::unique_ptr<VolumeSink> openSinkWithItk(FormatId id, const std::filesystem::path& path,
                                                          const VolumeOutline& volume, const WriteOptions& options,
                                                          const Control& control);

}  // namespace sscope::io
