#pragma once
// Which files the results of a bank are written to. The window and the command line share this rule.

#include <filesystem>
#include <string>
#include <vector>

#include "core/volume/volume_io.h"

namespace sscope {

// The files a pattern names: every `{}` becomes the filter's name, with characters that could lead to another folder
// replaced; without `{}` there is one file for all filters.
[[nodiscard]] std::vector<std::filesystem::path> outputFiles(const std::string& pattern,
                                                             const std::vector<std::string>& names);

// The name of an input without its folder and extension (any that `io` knows, else the last one), for a file's name:
// "scans/a.nii.gz@t=3" is "a-t3". It holds no `{}`, which would become the filter's name.
[[nodiscard]] std::string inputStem(const VolumeIo& io, const std::string& input);
// Every {stem} of `pattern` replaced.
[[nodiscard]] std::string withStem(std::string pattern, const std::string& stem);

struct OutputPlan {
  std::vector<std::filesystem::path> files;  // one per filter, or one for all of them
  bool interleaved = false;                  // several filters as the components of one file
};

// outputFiles(), with all checks that are possible before computing: the folders, whose data would be replaced, the
// format, and whether it can hold the results, each of shape `each` and element type `type`. Throws Error(Usage) when
// two filters would write the same file or several do not fit into the one named, Error(Unsupported, Io) as writing
// would. `asked`: somebody has agreed to all files that are replaced (requireOwnData).
[[nodiscard]] OutputPlan planOutputs(const VolumeIo& io, const std::string& pattern,
                                     const std::vector<std::string>& names, const VolumeShape& each, ElementType type,
                                     bool asked = false);

// Throws Error(Unsupported) when a format with geometry cannot store that of `each` result, when one that knows colors
// would take points in time or channels for them, or when `compress` is set and a file cannot be compressed.
void requireKept(const VolumeIo& io, const OutputPlan& plan, const VolumeOutline& each, const Metadata& ofInput,
                 bool compress);

// What the files will not hold of the data, each in one sentence.
[[nodiscard]] std::vector<std::string> droppedNotes(const VolumeIo& io, const OutputPlan& plan,
                                                    const Geometry& geometry, const Metadata& ofInput);

// Why the first of these files cannot be written by slabs, as half a sentence with the remedy; empty: all can.
[[nodiscard]] std::string notWrittenBySlabs(const VolumeIo& io, const std::vector<std::filesystem::path>& files,
                                            bool compress);

// How the files of the plan are written: with the input's metadata, as far as it is still true of the results.
// `how`: what else is wished.
[[nodiscard]] WriteOptions writeOptionsFor(const OutputPlan& plan, const Metadata& ofInput, WriteOptions how);

}  // namespace sscope
