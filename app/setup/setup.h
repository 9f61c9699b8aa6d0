#pragma once
// The only place that assembles engines, variants and readers, for the window, the command line and the tests.

#include <filesystem>
#include <memory>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/session/session.h"
#include "core/volume/volume_io.h"

namespace sscope {

namespace lattice {
class ConfigurationIo;
}

struct Workshop {
  EngineSet engines;
  VariantTable variants;
  std::unique_ptr<VolumeIo> io;
  // None in a build without lattices. A shared_ptr only so that the type may be incomplete here.
  std::shared_ptr<lattice::ConfigurationIo> configurations;
};

// Finding devices loads their drivers and compilers, which takes 0.2 s and 90 MiB (PoCL). Leave skips that for work on
// the processor.
enum class Devices : bool { Leave, Find };

// `readerProgram` decodes files in a separate process; empty: the one next to the running program.
[[nodiscard]] Workshop makeWorkshop(const std::filesystem::path& readerProgram = {}, Devices devices = Devices::Find);

// Reads the file or generates the sample. Throws Error(Usage) if the source names neither, and what reading throws.
[[nodiscard]] LoadedVolume load(VolumeIo& io, const DataSource& source, const Control& control);
// The same, while files are still being read (VolumeIo::open).
[[nodiscard]] std::unique_ptr<ArrivingVolume> open(VolumeIo& io, const DataSource& source, const Control& control);

}  // namespace sscope
