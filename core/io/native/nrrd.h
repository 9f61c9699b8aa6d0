#pragma once
// NRRD files.

#include <string>
#include <vector>

#include "core/io/base/input_file.h"
#include "core/io/native/nrrd_header.h"
#include "core/io/planes/located.h"

namespace sscope::io {

// Encodings raw, gzip and text; the axes of nrrdAxes(); voxels in the same file, another file, a numbered series or a
// list of files. Throws Error(BadData, Unsupported, NotFound).
[[nodiscard]] LocatedVolume locateNrrd(const InputFile& file);

// The data files that the header names, in order; numbered patterns stay patterns. Throws as parseNrrdHeader.
[[nodiscard]] std::vector<std::string> nrrdDataNames(const InputFile& file);

}  // namespace sscope::io
