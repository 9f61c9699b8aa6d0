#pragma once
// What is told of values that are NaN or infinite.

#include <cstddef>

#include "core/base/control.h"
#include "core/volume/volume_io.h"

namespace sscope {

// Makes the notices say how many of the `voxels`, of info's shape and type, are not finite: one notice, in the place of
// what was said of other voxels, or none. Throws Canceled.
void noteNonFinite(VolumeInfo& info, const std::byte* voxels, const Control& control);

}  // namespace sscope
