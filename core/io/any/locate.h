#pragma once
// Finds where the voxels of a file lie, or how its planes are decoded, for reading it by slabs. Runs in the reader
// process.

#include <string>

#include "core/base/control.h"
#include "core/io/base/stored_voxels.h"
#include "core/io/planes/decoded_planes.h"

namespace sscope::io {

// `name` as of VolumeIo::read. Reads the header only (of NIfTI with 64-bit integers also all values, which decide the
// type). Whether the file is as long as its header says is not looked at. Throws Error(Unsupported) where voxels cannot
// be read by slabs, and what reading the header throws.
[[nodiscard]] LocatedVolume locateVoxels(const std::string& name, const Control& control);

// `name` as of VolumeIo::read; a selection of frames or channels is not looked at. Reads the header only. Throws
// Error(Unsupported) where planes cannot be decoded by themselves, and what reading the header throws.
[[nodiscard]] DecodedPlanes openDecodedPlanes(const std::string& name, const Control& control);

}  // namespace sscope::io
