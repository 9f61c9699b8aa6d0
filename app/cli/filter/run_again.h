#pragma once
// `sscope run FILE` of a file that says how it was made: the same again, compared with its voxels.

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

// Returns 0 where every element has the same bits. Throws Error(Device), with the largest difference, where it has not;
// Error(BadData) for a file that does not say how it was made, and for data that are others than those it was made
// from; Error(NotFound) where these or the engine are not there; Error(Unsupported) for what other commands made, with
// the line to type.
int runAgain(Program& program, const RunArguments& options);

}  // namespace sscope::cli
