#pragma once
// VTK XML image data, read with VTK's own parser.

#include "core/io/base/decoder.h"

namespace sscope::io {

// The active scalars, else the first array, of the points (or of the cells, with a notice).
[[nodiscard]] VolumeInfo readVti(const std::string& path, const AllocateVoxels& allocate, const Control& control);

}  // namespace sscope::io
