#pragma once
// Reads and writes volumes. Only core/io knows file formats.

#include <filesystem>
#include <memory>

#include "core/volume/volume_io.h"

namespace sscope {

// Reads through a separate process (`readerProgram`, built from core/io/reader) with limits on memory and time, so that
// no file can crash the caller. Builds without ITK read nrrd, npy, mrc, zarr and raw+json only. An empty path finds the
// reader next to the running program.
[[nodiscard]] std::unique_ptr<VolumeIo> makeVolumeIo(std::filesystem::path readerProgram = {});

}  // namespace sscope
