#pragma once
// NRRD without ITK: written in every build (in pieces, so that it can be stopped), read by the build that has no ITK.

#include <filesystem>

#include "core/io/decoder.h"
#include "core/volume/volume.h"

namespace sscope::io {

// Encodings raw and gzip; up to three axes in space and one of components before or behind them.
[[nodiscard]] VolumeInfo readNrrd(const std::string& path, const AllocateVoxels& allocate, const Control& control);

// .nrrd: one file. .nhdr: a header and `name.raw` beside it.
void writeNrrd(const std::filesystem::path& path, const Volume& volume, const Control& control);

}  // namespace sscope::io
