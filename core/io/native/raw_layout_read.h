#pragma once
// Voxels in a file without a header, where a person says how they lie.

#include <string>

#include "core/io/base/decoder.h"
#include "core/io/base/stored_voxels.h"
#include "core/volume/raw_layout.h"

namespace sscope::io {

// Throws Error(BadData) for a file that is shorter; a longer one adds a notice.
[[nodiscard]] VolumeInfo readRawLayout(const std::string& path, const RawLayout& layout, const AllocateVoxels& allocate,
                                       const Control& control);
[[nodiscard]] LocatedVolume locateRawLayout(const std::string& path, const RawLayout& layout);

}  // namespace sscope::io
