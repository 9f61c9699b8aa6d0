#pragma once
// Reading what a choice behind a name (core/volume/selection.h) leaves of a file.

#include "core/io/decoder.h"
#include "core/volume/selection.h"

namespace sscope::io {

// Reads with `decode` and keeps the chosen frame and channel of every voxel. Throws Error(Usage) when there are fewer.
[[nodiscard]] VolumeInfo readSelected(const Selection& selection, const Decode& decode, const AllocateVoxels& allocate,
                                      const Control& control);

}  // namespace sscope::io
