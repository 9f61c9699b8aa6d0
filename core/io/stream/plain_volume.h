#pragma once
// A volume whose voxels lie in a file as they are used, read by this process while it is already worked on. What was
// to be decoded, the header, has been decoded elsewhere (core/io/stream/reader_process.h).

#include <filesystem>
#include <memory>
#include <string>

#include "core/volume/volume_io.h"

namespace sscope::io {

// Begins to read info.plain. `name` is what the user named, for errors. Null where the voxels are not simply to be had:
// in what is no regular file or a too short one, outside the folder of `name`, or in a file that does not belong to it.
// Throws Error(Memory).
[[nodiscard]] std::unique_ptr<ArrivingVolume> openPlain(const std::string& name, VolumeInfo info);

}  // namespace sscope::io
