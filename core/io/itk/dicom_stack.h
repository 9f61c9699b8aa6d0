#pragma once
// Frames of one DICOM series in their order: places along their normal, and at each place the same points in time,
// echoes or whatever tells frames apart.

#include <cstddef>
#include <string>
#include <vector>

#include "core/io/itk/dicom_scan.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

struct DicomStack {
  std::vector<DicomFrame> frames;  // place by place, those at one place side by side
  std::size_t places = 1, times = 1;
};

// Sets shape.nz, the geometry but for the spacing of pixels, frames and notices of `info`. A frame that is there twice
// (the same instance at the same place) counts once. Throws Error(Unsupported) where the frames are no whole number of
// volumes, or nothing says how those at one place differ.
[[nodiscard]] DicomStack stackDicom(std::vector<DicomFrame> frames, const std::string& shown, VolumeInfo& info);

}  // namespace sscope::io
