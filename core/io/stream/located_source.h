#pragma once
// Volumes whose header the reader program has decoded and whose voxels this process reads, or has unpacked, itself.

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/control.h"
#include "core/io/planes/located.h"
#include "core/io/process/watch.h"
#include "core/volume/volume_stream.h"

namespace sscope::io {

// Planes. `name` is the name that the user gave; `program` the reader, which unpacks compressed voxels. Throws
// Error(BadData) where the file is too short, Error(Unsupported) where its voxels lie in a file that does not belong to
// `name`, Error(NotFound, Io).
[[nodiscard]] std::unique_ptr<VolumeSource> openLocated(const std::filesystem::path& program, const std::string& name,
                                                        LocatedVolume located);

// The same as VolumeIo::open. Voxels that lie in a file as they are used are read while the volume is already worked
// on.
[[nodiscard]] std::unique_ptr<ArrivingVolume> openInProcess(const std::filesystem::path& program,
                                                            const std::string& path, const ReaderLimits& limits,
                                                            const Control& control);

}  // namespace sscope::io
