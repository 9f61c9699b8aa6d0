#pragma once
// Which files the results of a bank are written to: the one rule that the window and the command line share.

#include <filesystem>
#include <string>
#include <vector>

#include "core/volume/volume_io.h"

namespace sscope {

// The files a pattern names: every `{}` becomes the filter's name, in which what could lead to another folder is
// replaced; without `{}` everything goes into the one file.
[[nodiscard]] std::vector<std::filesystem::path> outputFiles(const std::string& pattern,
                                                             const std::vector<std::string>& names);

// The name of an input without its folder and extension (any that `io` knows, else the last one), for a file's name:
// "scans/a.nii.gz@t=3" is "a-t3".
[[nodiscard]] std::string inputStem(const VolumeIo& io, const std::string& input);
// Every {stem} of `pattern` replaced.
[[nodiscard]] std::string withStem(std::string pattern, const std::string& stem);

struct OutputPlan {
  std::vector<std::filesystem::path> files;  // one per filter, or one for all of them
  bool interleaved = false;                  // several filters as the components of one file
};

// outputFiles(), with everything checked that can be known before computing or writing: the folders, the format, and
// whether it can hold the results, each of shape `each` and element type `type`.
// Throws Error(Usage) when two filters would write the same file or several do not fit into the one named,
// Error(Unsupported, Io) as writing would.
[[nodiscard]] OutputPlan planOutputs(const VolumeIo& io, const std::string& pattern,
                                     const std::vector<std::string>& names, const VolumeShape& each, ElementType type);

// Throws Error(Unsupported) where a file of the plan would lose where voxels of this geometry lie, or could not be
// compressed as is wished.
void requireKept(const VolumeIo& io, const OutputPlan& plan, const Geometry& geometry, bool compress);

// How the files of the plan are written: with what the input's file said, as far as it is true of the results.
[[nodiscard]] WriteOptions writeOptionsFor(const OutputPlan& plan, const Metadata& ofInput, bool compress);

}  // namespace sscope
