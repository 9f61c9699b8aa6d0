#pragma once
// Planes of a file whose voxels have been located.

#include <filesystem>
#include <memory>
#include <string>

#include "core/io/base/stored_voxels.h"
#include "core/volume/volume_stream.h"

namespace sscope::io {

// `name` is what the user named, for errors; `program` the reader, which unpacks what is compressed. Throws
// Error(BadData) where the file is too short, Error(Unsupported) where its voxels lie in a file that does not belong to
// `name`, or in compressed frames, Error(NotFound, Io).
[[nodiscard]] std::unique_ptr<VolumeSource> openLocated(const std::filesystem::path& program, const std::string& name,
                                                        LocatedVolume located);

}  // namespace sscope::io
