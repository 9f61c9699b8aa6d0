#pragma once
// What the axes of a NRRD file are: in space, points in time, channels; where they lie, and in which units.

#include <cstdint>
#include <string>

#include "core/io/base/convert.h"
#include "core/io/native/nrrd_header.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

struct NrrdAxes {
  VolumeInfo info;     // all but type and format
  FrameLayout layout;  // the order of the file
};

// `bytes` are those of an element. Up to three axes in space, and before or behind them one of points in time and one
// of channels. Throws Error(BadData, Unsupported) where the header contradicts itself or its axes cannot be these.
[[nodiscard]] NrrdAxes nrrdAxes(const NrrdHeader& header, const std::string& path, std::size_t bytes);

}  // namespace sscope::io
