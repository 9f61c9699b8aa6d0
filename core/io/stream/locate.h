#pragma once
// Finds where the voxels of a file lie, for those who read it by slabs. Runs in the reader process.

#include <string>

#include "core/base/control.h"
#include "core/io/stream/stored_voxels.h"

namespace sscope::io {

// `name` as of VolumeIo::read. Reads the header only (of NIfTI with 64-bit integers also all values, which decide the
// type). Whether the file is as long as its header says is not looked at. Throws Error(Unsupported) where voxels cannot
// be read by slabs, and what reading the header throws.
[[nodiscard]] LocatedVolume locateVoxels(const std::string& name, const Control& control);

}  // namespace sscope::io
