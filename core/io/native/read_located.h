#pragma once
// Reads all voxels of a file of which it is known where and how they lie.

#include <string>

#include "core/io/base/decoder.h"
#include "core/io/base/stored_voxels.h"

namespace sscope::io {

// `shown`: the name that the user gave. 64-bit integers get the narrowest type that holds them. Throws Error(BadData)
// where the file ends before the voxels do; tells of what follows them where they are to be its end. Packed voxels and
// gaps between them are for others.
[[nodiscard]] VolumeInfo readLocated(LocatedVolume located, const std::string& shown, const AllocateVoxels& allocate,
                                     const Control& control);

// Throws Error(BadData) where so many bytes from `offset` on are not there; of how many there are more.
std::int64_t requireBytes(const std::string& file, const std::string& shown, std::int64_t offset, double bytes);

}  // namespace sscope::io
