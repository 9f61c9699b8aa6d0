#pragma once
// Files to gauge fields and back.

#include <filesystem>
#include <memory>

#include "core/lattice/configuration.h"

namespace sscope {

// Reads through a separate process as makeVolumeIo does: headers are parsed and checksums taken there, and the numbers
// of the links, whose place and layout are then known, are converted and judged here. An empty path finds the reader
// beside the running program.
[[nodiscard]] std::unique_ptr<lattice::ConfigurationIo> makeConfigurationIo(std::filesystem::path readerProgram = {});

}  // namespace sscope
