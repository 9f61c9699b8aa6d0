#pragma once
// A folder of DICOM slices as one volume.

#include "core/io/decoder.h"

namespace sscope::io {

// The largest series of the folder, sorted along the slice normal; spacing along it is the mean gap. Uneven gaps,
// gantry tilt and further series become notices. Throws Error(NotFound) when there is no DICOM image.
[[nodiscard]] VolumeInfo readDicomFolder(const std::string& folder, const AllocateVoxels& allocate,
                                         const Control& control);

}  // namespace sscope::io
