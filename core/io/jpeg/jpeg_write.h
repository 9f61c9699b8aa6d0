#pragma once
// JPEG through libjpeg itself: ITK's writer ends in libjpeg's own exit when the disk is full.

#include <filesystem>

#include "core/base/control.h"
#include "core/volume/volume.h"

namespace sscope::io {

// One slice of u8 with 1 (gray) or 3 (RGB) components, at quality 95. Throws Error(Io, Unsupported), Canceled.
void writeJpeg(const std::filesystem::path& path, const Volume& volume, const Control& control);

}  // namespace sscope::io
