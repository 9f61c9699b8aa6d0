#pragma once
// Any input this build can read: a file of any format, a DICOM folder, a pattern of slices, with a
// choice (see selection.h) behind it or not.

#include "core/io/decoder.h"

namespace sscope::io {

// Decodes in this process. Errors as VolumeIo::read.
[[nodiscard]] VolumeInfo readAny(const std::string& name, const AllocateVoxels& allocate, const Control& control);

// The same for one regular file.
[[nodiscard]] VolumeInfo readFile(const std::string& path, const AllocateVoxels& allocate, const Control& control);

}  // namespace sscope::io
