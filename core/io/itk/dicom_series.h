#pragma once
// DICOM slices as one volume.

#include <string>
#include <vector>

#include "core/io/planes/located.h"
#include "core/volume/selection.h"

namespace sscope::io {

struct DicomInput {
  std::vector<std::string> files;
  std::string shown;  // the name that the user gave: a folder or a pattern
  std::string what;   // "the folder holds", "the pattern matches"
  bool cut = false;   // the folder holds more files than were looked at
  std::string part;   // "@series=2", the largest being 1; empty: the largest, with a notice when there are several
};

// The frames of one series in the order of dicom_stack.h; those at one place are components. Missing slices, uneven
// gaps, gantry tilt and further series become notices. Throws Error(NotFound) when there is no DICOM image,
// Error(Usage) when there are fewer series, Error(Unsupported) where its frames form no volume.
[[nodiscard]] LocatedVolume locateDicom(const DicomInput& input, const Control& control);

// The DICOM files of a folder and of those in it, or of a pattern that matches no others; `files` is empty where there
// are none.
[[nodiscard]] DicomInput dicomInputOf(const Selection& selection, const Control& control);

// Its series, the largest first.
[[nodiscard]] std::vector<FilePart> partsOfDicom(const DicomInput& input, const Control& control);

// A single file by its own name.
[[nodiscard]] LocatedVolume locateDicomFile(const std::string& path, const Control& control);

}  // namespace sscope::io
