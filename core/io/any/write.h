#pragma once
// Writes in the format of the name's extension.

#include <filesystem>
#include <memory>

#include "core/base/control.h"
#include "core/volume/volume_io.h"
#include "core/volume/volume_stream.h"

namespace sscope::io {

// As VolumeIo::write; leaves no file behind when it throws.
void writeVolume(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
                 const Control& control);

// As VolumeIo::writesPieces and writePieces.
[[nodiscard]] bool writesPieces(const std::filesystem::path& path);
void writePieces(const std::filesystem::path& path, const VolumeOutline& volume, const VoxelPieces& pieces,
                 const WriteOptions& options, const Control& control);

// As VolumeIo::writesSlabs and openSink.
[[nodiscard]] bool writesSlabs(const std::filesystem::path& path);
[[nodiscard]] std::unique_ptr<VolumeSink> openSink(const std::filesystem::path& path, const VolumeOutline& volume,
                                                   const WriteOptions& options, const Control& control);

}  // namespace sscope::io
