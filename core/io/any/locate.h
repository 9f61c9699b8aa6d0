#pragma once
// Any input that this build can read: a file of any format, a DICOM folder, a pattern of slices, with or without a
// selection (core/volume/selection.h). Decoders run here, so this is for the reader program.

#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/io/base/input_file.h"
#include "core/io/planes/located.h"
#include "core/volume/selection.h"

namespace sscope::io {

// An input that a name stands for, with its file open where it is one with a header.
struct Input {
  std::string name;
  Selection selection;
  InputPointer file;
  std::exception_ptr failure{};  // why the file could not be opened
};
// Throws as parseSelection.
[[nodiscard]] Input openInput(const std::string& name);

// The files and folders (with their content) that the reader program needs; its sandbox blocks all others. The result
// may name files that do not exist.
[[nodiscard]] std::vector<std::filesystem::path> neededFor(const Input& input);

// Locates a single file of a known format.
using LocateFile = std::function<LocatedVolume(const Selection& selection, const InputPointer& file)>;

// Reads the header (and, for formats whose headers are incomplete without them, more) and applies the selection and the
// corrections of the name. Throws as VolumeIo::read.
[[nodiscard]] LocatedVolume locate(const Input& input, const Control& control);
// The same with another function for files.
[[nodiscard]] LocatedVolume locateWith(const Input& input, const LocateFile& locateFile, const Control& control);

// As VolumeIo::parts.
[[nodiscard]] std::vector<FilePart> partsOf(const Input& input, const Control& control);

}  // namespace sscope::io
