#pragma once
// Reading the part of a file that a name's selection (core/volume/selection.h) chooses.

#include <string>
#include <vector>

#include "core/io/decoder.h"
#include "core/io/formats.h"
#include "core/volume/selection.h"

namespace sscope::io {

// Reads with `decode`, corrects what the name corrects, and keeps the chosen frame and channel of every voxel. Throws
// Error(Usage) when there are fewer.
[[nodiscard]] VolumeInfo readSelected(const Selection& selection, const Decode& decode, const AllocateVoxels& allocate,
                                      const Control& control);

// What has several series, of which one is read.
struct SeriesHolder {
  std::string name;   // as the user gave it
  std::string holds;  // "the file holds", "the folder holds"
  std::string usual;  // "first", "largest": the one that is read where none is chosen
};
// The index of series `number`, counted from 1; 0: the first of the list, with a notice when there are several. `list`
// has a description of each. Throws Error(Usage), naming them, where there are fewer.
[[nodiscard]] std::size_t chooseSeries(const SeriesHolder& holder, const std::vector<std::string>& list, int number,
                                       std::vector<std::string>& notices);
// Throws Error(Usage) where a series or an array is chosen of what has none: a file of another format, or no file.
void requireNoChoice(const Selection& selection);
void requireChoice(const Selection& selection, FormatId format);
// "1 of 60 slices (axial), 2 of 3 slices".
[[nodiscard]] std::string seriesText(const std::vector<std::string>& list);

}  // namespace sscope::io
