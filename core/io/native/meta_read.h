#pragma once
// MetaImage by our own code: ITK fills up what is missing in a file with zeros and says nothing.

#include "core/io/decoder.h"

namespace sscope::io {

// .mha, .mhd: raw, zlib or text; voxels in the same file, in another, in a numbered row or a list of files. Axes beyond
// the third are components, as are channels. Throws Error(BadData) when a data file holds fewer voxels than it should.
[[nodiscard]] VolumeInfo readMeta(const std::string& path, const AllocateVoxels& allocate, const Control& control);

}  // namespace sscope::io
