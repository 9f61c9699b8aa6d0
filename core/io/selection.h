#pragma once
// Reading the part of a file that a name's selection (core/volume/selection.h) chooses.

#include "core/io/decoder.h"
#include "core/volume/selection.h"

namespace sscope::io {

// Reads with `decode`, corrects what the name corrects, and keeps the chosen frame and channel of every voxel. Throws
// Error(Usage) when there are fewer.
[[nodiscard]] VolumeInfo readSelected(const Selection& selection, const Decode& decode, const AllocateVoxels& allocate,
                                      const Control& control);

}  // namespace sscope::io
