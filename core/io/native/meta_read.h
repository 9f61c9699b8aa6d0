#pragma once
// Our own MetaImage reader: ITK silently replaces missing voxels by zeros.

#include "core/io/decoder.h"

namespace sscope::io {

// .mha, .mhd: raw, zlib or text; voxels in the same file, another file, a numbered series or a list of files. Axes
// beyond the third are components, as are channels. Throws Error(BadData) when a data file holds fewer voxels than it
// should.
[[nodiscard]] VolumeInfo readMeta(const std::string& path, const AllocateVoxels& allocate, const Control& control);

}  // namespace sscope::io
