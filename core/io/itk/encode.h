#pragma once
// Encoding with ITK.

#include <filesystem>

#include "core/base/control.h"
#include "core/io/formats.h"
#include "core/volume/volume.h"

namespace sscope::io {

// Writes a file of a format that ITK writes, atomically. Throws Error(Io), Canceled.
void encodeWithItk(FormatId id, const std::filesystem::path& path, const Volume& volume, bool compress,
                   const Control& control);

}  // namespace sscope::io
