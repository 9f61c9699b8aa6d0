#pragma once
// Our own NRRD reader and writer: in pieces, with progress, without a copy of the voxels. ITK reads the rest: 64-bit
// integers, skipped lines.

#include <filesystem>

#include "core/io/decoder.h"
#include "core/io/native/nrrd_header.h"
#include "core/io/stream/stored_voxels.h"
#include "core/volume/volume.h"

namespace sscope::io {

// Whether readNrrd understands this header.
[[nodiscard]] bool readsNrrdNatively(const NrrdHeader& header);

// Whether the voxels are written as text: readNrrd reads them, or refuses the file.
[[nodiscard]] bool isNrrdText(const NrrdHeader& header);

// Encodings raw, gzip and text; up to three spatial axes and one component axis before or after them; voxels in the
// same file, another file, a numbered series or a list of files. `header` is parseNrrdHeader(path).
[[nodiscard]] VolumeInfo readNrrd(const NrrdHeader& header, const std::string& path, const AllocateVoxels& allocate,
                                  const Control& control);

// The same, for reading by slabs. Throws Error(Unsupported) where voxels lie in several files.
[[nodiscard]] LocatedVolume locateNrrd(const NrrdHeader& header, const std::string& path);

// .nrrd: one file. .nhdr: a header and `name.raw` next to it.
void writeNrrd(const std::filesystem::path& path, const VolumeOutline& volume, const VoxelPieces& voxels,
               const WriteOptions& options, const Control& control);

}  // namespace sscope::io
