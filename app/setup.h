#pragma once
// The one explicit place where engines, variants and readers are put together; the window, the command line and
// the tests get the same ones.

#include <filesystem>
#include <memory>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/session/session.h"
#include "core/volume/volume_io.h"
#ifndef SSCOPE_WITHOUT_LATTICE
#include "core/lattice/configuration.h"
#endif

namespace sscope {

struct Workshop {
  EngineSet engines;
  VariantTable variants;
  std::unique_ptr<VolumeIo> io;
#ifndef SSCOPE_WITHOUT_LATTICE
  std::unique_ptr<lattice::ConfigurationIo> configurations;
#endif
};

// Looking for devices loads their drivers and compilers, which costs a fifth of a second and 90 MiB (PoCL): those
// who know that they compute on the processor leave them out.
enum class Devices : bool { Leave, Find };

// `readerProgram` decodes files in a process of its own; empty: the one beside the running program.
[[nodiscard]] Workshop makeWorkshop(const std::filesystem::path& readerProgram = {}, Devices devices = Devices::Find);

// Reads the file or generates the sample. Throws Error(Usage) when the source names neither, and what reading throws.
[[nodiscard]] LoadedVolume load(VolumeIo& io, const DataSource& source, const Control& control);

}  // namespace sscope
