#pragma once
// The XML before the voxels of VTK image data whose array is appended raw: what VTK's own writers and ours make. Other
// .vti files are for VTK to read, as a whole.

#include <string>

#include "core/io/stream/stored_voxels.h"

namespace sscope::io {

// Throws Error(Unsupported) for compressed or encoded voxels, several pieces and 64-bit integers, Error(BadData) where
// the file ends too early or makes no sense.
[[nodiscard]] LocatedVolume locateVti(const std::string& path);

}  // namespace sscope::io
