#pragma once
// Reads and writes gauge fields.

#include <filesystem>
#include <memory>

#include "core/lattice/configuration.h"

namespace sscope {

// Reads through a separate process as makeVolumeIo does: it parses the headers and computes the checksums; this process
// converts and checks the links, whose position and layout are then known. An empty path finds the reader next to the
// running program.
[[nodiscard]] std::unique_ptr<lattice::ConfigurationIo> makeConfigurationIo(std::filesystem::path readerProgram = {});

// Configurations have names of all kinds (ckpoint_lat.4000). Throws Error(Usage), with those that are possible,
// for one that belongs to another kind of file; write() does, too.
void requireConfigurationName(const std::filesystem::path& path);

}  // namespace sscope
