#pragma once
// Our own PNG writer: ITK's ends the program when the disk is full.

#include <filesystem>

#include "core/base/control.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// One slice of u8 or u16 with 1 to 4 components (gray, gray and alpha, RGB, RGBA). Throws Error(Io), Canceled.
void writePng(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
              const Control& control);

}  // namespace sscope::io
