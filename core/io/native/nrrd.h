#pragma once
// NRRD by our own code: in pieces, with progress, straight from and to the final memory. ITK reads what is left: text
// encodings, 64-bit integers, skipped lines.

#include <filesystem>

#include "core/io/decoder.h"
#include "core/io/native/nrrd_header.h"
#include "core/volume/volume.h"

namespace sscope::io {

// Whether readNrrd understands this header.
[[nodiscard]] bool readsNrrdNatively(const NrrdHeader& header);

// Encodings raw and gzip; up to three axes in space and one of components before or behind them;
// voxels in the same file, in another, in a numbered row or a list of files. `header` is what parseNrrdHeader gives for
// `path`.
[[nodiscard]] VolumeInfo readNrrd(const NrrdHeader& header, const std::string& path, const AllocateVoxels& allocate,
                                  const Control& control);

// .nrrd: one file. .nhdr: a header and `name.raw` beside it.
void writeNrrd(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
               const Control& control);

}  // namespace sscope::io
