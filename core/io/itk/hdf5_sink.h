#pragma once
// HDF5 files in ITK's layout, written plane by plane in any order.

#include <filesystem>
#include <memory>

#include "core/volume/volume_stream.h"

namespace sscope::io {

// Makes the file; its room on the disk is reserved until it is written. Throws Error(Io), with the bytes that are
// needed and free where these are too few, Canceled.
[[nodiscard]] std::unique_ptr<VolumeSink> openHdf5Sink(const std::filesystem::path& path, const VolumeOutline& volume,
                                                       const WriteOptions& options, const Control& control);

}  // namespace sscope::io
