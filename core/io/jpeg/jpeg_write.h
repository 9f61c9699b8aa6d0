#pragma once
// Writes JPEG with libjpeg directly: with ITK's writer, libjpeg exits the program when the disk is full.

#include <filesystem>

#include "core/base/control.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// One slice of u8 with 1 (gray) or 3 (RGB) components, at quality 95. Throws Error(Io, Unsupported), Canceled.
void writeJpeg(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
               const Control& control);

}  // namespace sscope::io
