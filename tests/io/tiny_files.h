#pragma once
// One tiny file of every format and encoding, to be damaged.

#include <filesystem>
#include <vector>

#include "core/volume/volume_io.h"

namespace sscope::test {

// Written with `io` where it can, by hand where no writer exists (BMP, DICOM); those which this build cannot read are
// left out.
[[nodiscard]] std::vector<std::filesystem::path> writeTinyFiles(VolumeIo& io, const std::filesystem::path& folder);

}  // namespace sscope::test
