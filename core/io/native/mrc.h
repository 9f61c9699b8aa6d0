#pragma once
// MRC and CCP4 files of electron microscopy: a header of 1024 bytes, perhaps another one behind it, and voxels.

#include <cstddef>
#include <vector>

#include "core/io/base/input_file.h"
#include "core/io/planes/located.h"

namespace sscope::io {

// Modes 0, 1, 2, 6 and 12. Steps are the cell divided by the samples, in angstrom.
[[nodiscard]] LocatedVolume locateMrc(const InputFile& file);

// The bytes before the voxels. The range of values is left open, as the format allows.
[[nodiscard]] std::vector<std::byte> formatMrcHeader(const VolumeOutline& volume);

}  // namespace sscope::io
