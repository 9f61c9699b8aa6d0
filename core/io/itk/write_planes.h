#pragma once
// Planes of a volume to a file that ITK writes.

#include <itkImageIOBase.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "core/volume/volume_io.h"

namespace sscope::io {

// Tells a writer of the volume; two axes where nothing of the third one would be lost.
void describe(itk::ImageIOBase& io, const VolumeOutline& volume);

// Writes `count` planes of the slowest axis that has been described, from `first` on, as a Volume holds them; all of
// them for formats that cannot be written in parts. `shown` is what the user named. Throws Error(Io).
void writePlanes(itk::ImageIOBase& io, std::int64_t first, std::int64_t count, const std::byte* voxels,
                 const std::filesystem::path& shown);

}  // namespace sscope::io
