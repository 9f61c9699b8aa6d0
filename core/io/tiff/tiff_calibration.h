#pragma once
// Where TIFF files keep spacings: ImageJ's and our own lines in the description, OME's XML, the resolution tags.

#include <string>

#include "core/volume/volume.h"

namespace sscope::io {

struct TiffCalibration {
  Geometry geometry;
  std::int64_t channels = 1, frames = 1;  // of an ImageJ hyperstack; its pages run channel, slice, frame
  std::int64_t images = 0;                // that ImageJ announces; 0 when it says nothing
};

// `resolution` in pixels per unit (0: unknown), `resolutionUnit` as in the tag: 1 none, 2 inch, 3 centimeter.
[[nodiscard]] TiffCalibration parseTiffCalibration(const std::string& description, double xResolution,
                                                   double yResolution, int resolutionUnit);
// The description that parseTiffCalibration understands without loss.
[[nodiscard]] std::string formatTiffDescription(const Volume& volume);

}  // namespace sscope::io
