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

namespace sscope {

struct Workshop {
  EngineSet engines;
  VariantTable variants;
  std::unique_ptr<VolumeIo> io;
};

// `readerProgram` decodes files in a process of its own; empty: the one beside the running program.
[[nodiscard]] Workshop makeWorkshop(const std::filesystem::path& readerProgram = {});

// Reads the file or generates the sample. Throws Error(Usage) when the source names neither, and what reading throws.
[[nodiscard]] LoadedVolume load(VolumeIo& io, const DataSource& source, const Control& control);

}  // namespace sscope
