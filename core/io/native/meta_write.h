#pragma once
// MetaImage written by ourselves: ITK would name the data file of a .mhd after the temporary header, and goes on
// without a word when the disk is full.

#include <filesystem>

#include "core/base/control.h"
#include "core/volume/volume.h"

namespace sscope::io {

// .mha: one file, compressed with zlib where that is asked for. .mhd: a header and `name.raw` beside it.
void writeMeta(const std::filesystem::path& path, const Volume& volume, bool compress, const Control& control);

}  // namespace sscope::io
