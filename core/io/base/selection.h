#pragma once
// The part of a file that a name's selection (core/volume/selection.h) chooses.

#include <string>
#include <vector>

#include "core/io/base/formats.h"
#include "core/volume/selection.h"

namespace sscope::io {

// A file or folder with parts (FilePart), of which one is read.
struct PartHolder {
  std::string name;   // as the user gave it
  std::string holds;  // "the file holds", "the folder holds"
  std::string what;   // "series", "arrays", "datasets"
};
// The index of the part with this selector. Without one: the usual part, with a notice where there are others, or the
// only one. Throws Error(Usage), with the list of parts, where none has this selector, and where one must be chosen.
[[nodiscard]] std::size_t choosePart(const PartHolder& holder, const std::vector<FilePart>& parts,
                                     const std::string& selector, std::vector<std::string>& notices);
// Whether the input may have parts and the name chooses none. Cheap: the format decides, and no decoder runs.
[[nodiscard]] bool mayHaveParts(const std::string& name);
// Throw Error(Usage) where the name chooses a series, an array, a dataset or a level and the input has none: a file of
// another format, or no file.
void requireNoChoice(const Selection& selection);
void requireChoice(const Selection& selection, FormatId format);

}  // namespace sscope::io
