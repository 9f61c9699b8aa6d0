#pragma once
// Our own MetaImage reader: ITK silently replaces missing voxels by zeros.

#include "core/io/base/decoder.h"
#include "core/io/base/stored_voxels.h"

namespace sscope::io {

// .mha, .mhd: raw, zlib or text; voxels in the same file, another file, a numbered series or a list of files. Axes
// beyond the third are components, as are channels. Throws Error(BadData) when a data file holds fewer voxels than it
// should.
[[nodiscard]] VolumeInfo readMeta(const std::string& path, const AllocateVoxels& allocate, const Control& control);

// The same, for reading by slabs. Throws Error(Unsupported) for voxels in several files, text and 64-bit integers.
[[nodiscard]] LocatedVolume locateMeta(const std::string& path);

}  // namespace sscope::io
