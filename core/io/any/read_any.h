#pragma once
// Any input this build can read: a file of any format, a DICOM folder, a pattern of slices, with a
// choice (see selection.h) behind it or not.

#include <string>
#include <vector>

#include "core/io/base/decoder.h"
#include "core/volume/selection.h"

namespace sscope::io {

// Decodes in this process. Errors as VolumeIo::read.
[[nodiscard]] VolumeInfo readAny(const std::string& name, const AllocateVoxels& allocate, const Control& control);

// The same for one regular file. Of `file` its path and the series or array that are chosen.
[[nodiscard]] VolumeInfo readFile(const Selection& file, const AllocateVoxels& allocate, const Control& control);

// As VolumeIo::parts.
[[nodiscard]] std::vector<FilePart> partsOf(const std::string& name, const Control& control);

}  // namespace sscope::io
