#pragma once
// Stacks of 2D images in files of their own.

#include <string>

#include "core/io/any/locate.h"

namespace sscope::io {

// Stacks the files of `pattern` along z; all must agree in size, type and components. The distance between slices is
// unknown: it becomes 1, with a notice. `shown` is the name that the user gave. Throws as `locateFile`, and
// Error(BadData) where files differ.
[[nodiscard]] LocatedVolume locateSlices(const std::string& pattern, const std::string& shown,
                                         const LocateFile& locateFile, const Control& control);

}  // namespace sscope::io
