#pragma once
// Decoding with ITK, directly into the volume's memory.

#include "core/io/base/decoder.h"
#include "core/io/base/formats.h"
#include "core/io/planes/decoded_planes.h"

namespace sscope::io {

// One file of any format that ITK reads. Axes beyond the third become components (with a notice), 64-bit integers
// become the narrowest element type that holds their values, complex numbers two components (each with a notice).
[[nodiscard]] VolumeInfo decodeWithItk(FormatId id, const std::string& path, const AllocateVoxels& allocate,
                                       const Control& control);

// The same, some planes at a time. Throws Error(Unsupported) where frames follow each other, and for 64-bit integers,
// whose type all of them decide.
[[nodiscard]] DecodedPlanes openPlanesWithItk(FormatId id, const std::string& path, const Control& control);

}  // namespace sscope::io
