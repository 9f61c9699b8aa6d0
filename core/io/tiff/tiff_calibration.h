#pragma once
// Calibration in the description of TIFF files: ImageJ's lines, OME's XML and ours. Spacings are also in the resolution
// tags.

#include <string>
#include <vector>

#include "core/volume/metadata.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// The order of the axes channel, slice and time among the pages, fastest first, and their extents.
struct TiffOrder {
  std::string axes = "CZT";
  std::int64_t channels = 1, slices = 1, frames = 1;
  [[nodiscard]] std::int64_t pages() const { return channels * slices * frames; }
  [[nodiscard]] std::int64_t slice(std::int64_t page) const { return place(page, 'Z'); }
  // Channels fastest, as ours.
  [[nodiscard]] std::int64_t component(std::int64_t page) const {
    return place(page, 'T') * channels + place(page, 'C');
  }

 private:
  [[nodiscard]] std::int64_t place(std::int64_t page, char axis) const;
};

struct TiffCalibration {
  Geometry geometry;
  TiffOrder order;          // slices are 0 when only the number of pages determines them
  std::int64_t images = 0;  // as ImageJ states; 0 when it does not
  double frameSeconds = 0;
  std::vector<std::string> channels;  // names of OME
};

// `resolution` in pixels per unit (0: unknown), `resolutionUnit` as in the tag: 1 none, 2 inch, 3 centimeter.
[[nodiscard]] TiffCalibration parseTiffCalibration(const std::string& description, double xResolution,
                                                   double yResolution, int resolutionUnit);

struct TiffLayout {
  TiffOrder order;
  int samples = 1;         // of each pixel of a page
  bool contiguous = true;  // the pages follow each other without gaps, as ImageJ assumes
};
// Descriptions that parseTiffCalibration understands without loss: lines for ImageJ, or OME's XML.
[[nodiscard]] std::string formatImageJDescription(const VolumeOutline& volume, const Metadata& metadata,
                                                  const TiffLayout& layout);
[[nodiscard]] std::string formatOmeDescription(const VolumeOutline& volume, const Metadata& metadata,
                                               const TiffLayout& layout);

}  // namespace sscope::io
