#pragma once
// What TIFF files say in their description: ImageJ's lines, OME's XML and ours; spacings also stand in the resolution
// tags.

#include <string>

#include "core/volume/metadata.h"
#include "core/volume/volume.h"

namespace sscope::io {

// Which of the axes channel, slice and time the pages run through, fastest first, and how far.
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
  TiffOrder order;          // slices are 0 where only the number of pages tells
  std::int64_t images = 0;  // that ImageJ announces; 0 when it says nothing
  double frameSeconds = 0;
};

// `resolution` in pixels per unit (0: unknown), `resolutionUnit` as in the tag: 1 none, 2 inch, 3 centimeter.
[[nodiscard]] TiffCalibration parseTiffCalibration(const std::string& description, double xResolution,
                                                   double yResolution, int resolutionUnit);

struct TiffLayout {
  TiffOrder order;
  int samples = 1;         // of each pixel of a page
  bool contiguous = true;  // the pages follow one another without gaps, as ImageJ takes for granted
};
// Descriptions that parseTiffCalibration understands without loss: lines for ImageJ, or OME's XML.
[[nodiscard]] std::string formatImageJDescription(const Volume& volume, const Metadata& metadata,
                                                  const TiffLayout& layout);
[[nodiscard]] std::string formatOmeDescription(const Volume& volume, const Metadata& metadata,
                                               const TiffLayout& layout);

}  // namespace sscope::io
