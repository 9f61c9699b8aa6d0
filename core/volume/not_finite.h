#pragma once
// Notices about values that are NaN or infinite.

#include <cstddef>

#include "core/base/control.h"
#include "core/volume/volume_io.h"

namespace sscope {

// Replaces the notice on non-finite values by one for `voxels`, which have info's shape and type; removes it if all are
// finite. Throws Canceled.
void noteNonFinite(VolumeInfo& info, const std::byte* voxels, const Control& control);

}  // namespace sscope
