#pragma once
// Planes of voxels that lie uncompressed in a file, read by this process: bytes need no decoder, and nothing is mapped
// that somebody else could cut off.

#include <memory>
#include <string>

#include "core/io/stream/stored_voxels.h"
#include "core/volume/volume_stream.h"

namespace sscope::io {

// `name` is what the user named, for errors. Throws Error(BadData) where the file is too short, Error(Unsupported)
// where its voxels are packed or in a file that does not belong to `name`, Error(NotFound, Io).
[[nodiscard]] std::unique_ptr<VolumeSource> openStored(const std::string& name, LocatedVolume located);

}  // namespace sscope::io
