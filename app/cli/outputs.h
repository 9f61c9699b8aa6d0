#pragma once
// Where the results of a bank are written.

#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/program.h"
#include "core/job/filter_job.h"

namespace sscope::cli {

struct OutputPlan {
  std::vector<std::filesystem::path> files;  // one per filter, or one for all of them
  bool interleaved = false;                  // several filters as the components of one file
};

// `{}` in the pattern becomes the filter's name; without it, several filters share one multi-component file.
// Everything that can be known before computing is checked: the folders, the format, and whether it can hold the
// result. `input` and `type` are the shape of the input and the element type of the results.
// Throws Error(Usage) when several filters do not fit into the one file named, Error(Unsupported, Io) as writing would.
[[nodiscard]] OutputPlan planOutputs(const VolumeIo& io, const std::string& pattern,
                                     const std::vector<std::string>& names, const VolumeShape& input, ElementType type);

// Writes the results one by one and frees each.
void writeOutputs(Program& program, VolumeIo& io, const OutputPlan& plan, std::vector<Volume> outputs);

}  // namespace sscope::cli
