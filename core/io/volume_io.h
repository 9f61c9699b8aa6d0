#pragma once
// Files to volumes and back. The only room that knows formats.

#include <filesystem>
#include <memory>

#include "core/volume/volume_io.h"

namespace sscope {

// Reads through a separate process (`readerProgram`, built from core/io/reader) with limits on memory and time,
// so that no file takes the caller down; in a build without ITK that reads nrrd and raw+json only. An empty path finds
// the reader beside the running program.
[[nodiscard]] std::unique_ptr<VolumeIo> makeVolumeIo(std::filesystem::path readerProgram = {});

}  // namespace sscope
