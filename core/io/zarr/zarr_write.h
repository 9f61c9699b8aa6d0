#pragma once
// Writes OME-Zarr stores, with a pyramid of block means.

#include <filesystem>
#include <memory>

#include "core/volume/volume_stream.h"

namespace sscope::io {

// As VolumeIo::openSink, compressed or not. Planes come from the first to the last; a row of chunks of each level is
// held in memory.
[[nodiscard]] std::unique_ptr<VolumeSink> openZarrSink(const std::filesystem::path& path, const VolumeOutline& volume,
                                                       const WriteOptions& options);

// As VolumeIo::heldBySink.
[[nodiscard]] std::int64_t heldByZarrSink(const std::filesystem::path& path, const VolumeOutline& volume);

}  // namespace sscope::io
