#pragma once
// Reading in a separate process, watched: nothing a file does to its decoder reaches the caller.

#include <filesystem>
#include <string>

#include "core/base/control.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

struct ReaderLimits {
  double idleSeconds = 60;  // killed after so long without a byte read or a voxel page written
};

// Runs the reader program on `path`; with `headerOnly` the volume stays empty. The voxels are decoded into shared
// memory which the volume adopts. Throws what the reader reports; Error(BadData) when it crashes or hangs;
// Error(Io) when it cannot be started; Canceled within 100 ms of a stop request.
[[nodiscard]] LoadedVolume readInProcess(const std::filesystem::path& program, const std::string& path, bool headerOnly,
                                         const ReaderLimits& limits, const Control& control);

// sscope-reader beside the running program.
[[nodiscard]] std::filesystem::path defaultReaderProgram();

}  // namespace sscope::io
