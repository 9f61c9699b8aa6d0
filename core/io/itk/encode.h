#pragma once
// Encoding with ITK.

#include <filesystem>

#include "core/base/control.h"
#include "core/io/base/formats.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// Writes a file of a format that ITK writes, atomically. Throws Error(Io), Canceled.
void encodeWithItk(FormatId id, const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
                   const Control& control);

}  // namespace sscope::io
