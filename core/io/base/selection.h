#pragma once
// Reading the part of a file that a name's selection (core/volume/selection.h) chooses.

#include <string>
#include <vector>

#include "core/io/base/decoder.h"
#include "core/io/base/formats.h"
#include "core/volume/selection.h"

namespace sscope::io {

// Reads with `decode`, corrects what the name corrects, and keeps the chosen frame and channel of every voxel. Throws
// Error(Usage) when there are fewer.
[[nodiscard]] VolumeInfo readSelected(const Selection& selection, const Decode& decode, const AllocateVoxels& allocate,
                                      const Control& control);

// What has parts (FilePart), of which one is read.
struct PartHolder {
  std::string name;   // as the user gave it
  std::string holds;  // "the file holds", "the folder holds"
  std::string what;   // "series", "arrays", "datasets"
};
// The index of the part with this selector. Empty: the usual one, with a notice where there are others, or the only
// one. Throws Error(Usage), naming them, where none is so called, and where one has to be chosen.
[[nodiscard]] std::size_t choosePart(const PartHolder& holder, const std::vector<FilePart>& parts,
                                     const std::string& selector, std::vector<std::string>& notices);
// Whether what this name means may have parts of which it chooses none, by its format: cheap, and no decoder runs.
[[nodiscard]] bool mayHaveParts(const std::string& name);
// Throws Error(Usage) where a series or an array is chosen of what has none: a file of another format, or no file.
void requireNoChoice(const Selection& selection);
void requireChoice(const Selection& selection, FormatId format);

}  // namespace sscope::io
