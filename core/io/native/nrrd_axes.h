#pragma once
// The meaning of the axes of a NRRD file: space, points in time or channels; their positions and units.

#include <cstdint>
#include <string>

#include "core/io/native/nrrd_header.h"
#include "core/io/planes/located.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

struct NrrdAxes {
  VolumeInfo info;     // without type and format
  FrameLayout layout;  // the order of the file
};

// `bytes`: size of an element. Up to three axes in space, and before or behind them one of points in time and one of
// channels. Throws Error(BadData, Unsupported) where the header contradicts itself or its axes cannot be these.
[[nodiscard]] NrrdAxes nrrdAxes(const NrrdHeader& header, const std::string& path, std::size_t bytes);

}  // namespace sscope::io
