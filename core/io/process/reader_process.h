#pragma once
// Reading in a separate process, watched: nothing a file does to its decoder reaches the caller.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/base/control.h"
#include "core/io/lattice/decoded.h"
#include "core/io/process/watch.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// Runs the reader program on `path`; with `headerOnly` the volume stays empty. The voxels are decoded into shared
// memory which the volume adopts; whoever else still has that memory can no longer take it away. Throws what the reader
// reports; Error(BadData) when it crashes, hangs or answers nonsense; Error(Io) when it cannot be started; Canceled
// within 100 ms of a stop request, whatever the reader does.
[[nodiscard]] LoadedVolume readInProcess(const std::filesystem::path& program, const std::string& path, bool headerOnly,
                                         const ReaderLimits& limits, const Control& control);

// Links as they are in the file, in memory that lives as long as this.
struct LinksInMemory {
  RawLinks links;
  std::shared_ptr<const std::byte> memory;
  std::size_t bytes = 0;  // what links.extents and links.layout say
};

// The same for a gauge configuration. Throws lattice::MissingExtents besides.
[[nodiscard]] LinksInMemory readLinksInProcess(const std::filesystem::path& program, const std::string& path,
                                               const std::optional<lattice::Extents>& extents,
                                               const ReaderLimits& limits, const Control& control);

// sscope-reader beside the running program.
[[nodiscard]] std::filesystem::path defaultReaderProgram();

}  // namespace sscope::io
