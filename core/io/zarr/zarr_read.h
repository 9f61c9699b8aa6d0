#pragma once
// Images of OME-Zarr stores, and arrays of Zarr without a word on what they are.

#include "core/io/base/decoder.h"
#include "core/io/planes/decoded_planes.h"
#include "core/volume/selection.h"

namespace sscope::io {

// The image, level, frame and channel that `selection` names; of frames and channels that are not chosen nothing is
// read, unless it gives the axes another meaning. Throws Error(Usage) where there are fewer, Error(Unsupported,
// BadData, Io), Canceled.
[[nodiscard]] VolumeInfo readZarr(const Selection& selection, const AllocateVoxels& allocate, const Control& control);
// The same, some planes at a time. Throws Error(Unsupported) for 64-bit integers, whose type all of them decide.
[[nodiscard]] DecodedPlanes openZarrPlanes(const Selection& selection);

// Whether frames and channels are chosen by the two above, and not by what reads all of them.
[[nodiscard]] bool zarrChooses(const Selection& selection);

}  // namespace sscope::io
