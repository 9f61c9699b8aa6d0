#pragma once
// Our own NRRD reader and writer: in pieces, with progress, without a copy of the voxels.

#include <filesystem>

#include "core/io/base/decoder.h"
#include "core/io/base/stored_voxels.h"
#include "core/io/native/nrrd_header.h"
#include "core/volume/volume.h"

namespace sscope::io {

// Encodings raw, gzip and text; the axes of nrrdAxes(); voxels in the same file, another file, a numbered series or a
// list of files. 64-bit integers become the narrowest type that holds them. `header` is parseNrrdHeader(path).
[[nodiscard]] VolumeInfo readNrrd(const NrrdHeader& header, const std::string& path, const AllocateVoxels& allocate,
                                  const Control& control);

// The same, for reading by slabs. Throws Error(Unsupported) where voxels lie in several files, are text
// or 64-bit integers.
[[nodiscard]] LocatedVolume locateNrrd(const NrrdHeader& header, const std::string& path);

// .nrrd: one file. .nhdr: a header and `name.raw` next to it.
void writeNrrd(const std::filesystem::path& path, const VolumeOutline& volume, const VoxelPieces& voxels,
               const WriteOptions& options, const Control& control);

}  // namespace sscope::io
