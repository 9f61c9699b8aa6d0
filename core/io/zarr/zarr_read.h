#pragma once
// Images of OME-Zarr stores, and Zarr arrays without OME metadata.

#include "core/io/planes/located.h"
#include "core/volume/selection.h"

namespace sscope::io {

// The image, level, frame and channel that `selection` names; only chosen frames and channels are read, unless the
// selection gives the axes another meaning. Throws Error(Usage) where there are fewer, Error(Unsupported, BadData, Io).
[[nodiscard]] LocatedVolume locateZarr(const Selection& selection);

// Whether locateZarr has chosen frames and channels.
[[nodiscard]] bool zarrChooses(const Selection& selection);

}  // namespace sscope::io
