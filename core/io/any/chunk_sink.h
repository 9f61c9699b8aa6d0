#pragma once
// Files whose planes are chunks that something else places: HDF5, stores of Zarr.

#include <filesystem>
#include <memory>

#include "core/base/control.h"
#include "core/volume/volume_stream.h"

namespace sscope::io {

// Whether files of this name are such files; their extension decides.
[[nodiscard]] bool writesChunks(const std::filesystem::path& path);

// Makes the file; its room on the disk is held for it until it is written. As VolumeIo::openSink.
[[nodiscard]] std::unique_ptr<VolumeSink> openChunkSink(const std::filesystem::path& path, const VolumeOutline& volume,
                                                        const WriteOptions& options, const Control& control);

}  // namespace sscope::io
