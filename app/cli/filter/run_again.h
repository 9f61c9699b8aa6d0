#pragma once
// `sscope run FILE` for a file that records how it was made: repeats that, and compares with its voxels.

#include <cstdint>
#include <string>

#include "app/cli/program.h"

namespace sscope::cli {

struct RunArguments {
  std::string session, data, output, json, engine;  // `session`: the file, of a session or of voxels
  std::int64_t memory = 0;
};

// Whether the file holds voxels, and no session.
[[nodiscard]] bool holdsVoxels(const std::string& file);

// Returns 0 if every element has the same bits. Throws Error(Device) with the largest difference if not; Error(BadData)
// for a file without a record, and for other data than its input; Error(NotFound) if the input or the engine is
// missing; Error(Unsupported) for files of other commands, with the line to type.
int runAgain(Program& program, const RunArguments& options);

}  // namespace sscope::cli
