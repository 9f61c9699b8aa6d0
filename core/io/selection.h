#pragma once
// Reading the part of a file that a name's selection (core/volume/selection.h) chooses.

#include <string>
#include <vector>

#include "core/io/decoder.h"
#include "core/io/formats.h"
#include "core/volume/selection.h"

namespace sscope::io {

// Reads with `decode`, corrects what the name corrects, and keeps the chosen frame and channel of every voxel. Throws
// Error(Usage) when there are fewer.
[[nodiscard]] VolumeInfo readSelected(const Selection& selection, const Decode& decode, const AllocateVoxels& allocate,
                                      const Control& control);

// Throws Error(Usage) where a series or an array is chosen of what has none: a file of another format, or no file.
void requireNoChoice(const Selection& selection);
void requireChoice(const Selection& selection, FormatId format);
}  // namespace sscope::io
