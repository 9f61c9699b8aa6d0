#pragma once
// What the description of a TIFF file says of its pages and voxels: ImageJ's lines, tifffile's JSON, OME's XML
// (ome.h) and ours. Steps along x and y are also in the resolution tags.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/io/base/convert.h"
#include "core/volume/geometry.h"
#include "core/volume/metadata.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

inline constexpr const char* kOurTiffKey = "stencilscope";

// The axes channel C, slice Z and time T among the pages, fastest first, with their extents. An axis that is there
// twice counts as one, the first being faster.
struct TiffOrder {
  std::vector<std::pair<char, std::int64_t>> axes;

  [[nodiscard]] std::int64_t extent(char axis) const;
  [[nodiscard]] std::int64_t pages() const;
  [[nodiscard]] std::int64_t place(std::int64_t page, char axis) const;
  // The page at a place. `letters` name an axis each.
  [[nodiscard]] std::int64_t page(std::string_view letters, const std::array<std::int64_t, 3>& places) const;
  [[nodiscard]] std::int64_t slice(std::int64_t page) const { return place(page, 'Z'); }
  // Channels fastest, as ours.
  [[nodiscard]] std::int64_t component(std::int64_t page) const {
    return place(page, 'T') * extent('C') + place(page, 'C');
  }
};
// The axes of `letters`, fastest first; empty where they are not those three. `extents` of C, Z and T.
[[nodiscard]] std::optional<TiffOrder> tiffOrder(const std::string& letters,
                                                 const std::array<std::int64_t, 3>& extents);

struct TiffCalibration {
  std::array<AxisStep, 3> steps{AxisStep{1, "", StepSource::Assumed}, AxisStep{1, "", StepSource::Assumed},
                                AxisStep{1, "", StepSource::Assumed}};
  std::optional<Geometry> ours;  // takes the place of the steps
  double frameSeconds = 0;
  std::vector<std::string> channels;  // their names
  Scale scale{};                      // from stored values to those that are meant
  std::string valueUnit;
  bool labels = false, inSpace = false;
  std::vector<std::pair<std::string, std::string>> kept;  // fields of Metadata
  std::string provenance;                                 // how the file was made, as it says itself
  std::vector<std::string> notices;

  // Takes a step that is a number, and not 0; without its sign.
  void set(std::size_t axis, double step, const std::string& unit);
};

// As of the tags: pixels per unit (0: unknown) and 1 for none, 2 for inch, 3 for centimeter. Only units of length make
// a number of pixels a length.
struct TiffResolution {
  double x = 0, y = 0;
  int unit = 1;
};
[[nodiscard]] TiffCalibration calibrationOf(const TiffResolution& resolution);

// ImageJ's lines.
struct ImageJDescription {
  TiffCalibration calibration;
  TiffOrder order;
  std::int64_t images = 0;  // as it states; 0 when it does not
};
[[nodiscard]] std::optional<ImageJDescription> parseImageJ(const std::string& text, const TiffResolution& resolution,
                                                           Stored stored);

// tifffile's JSON: all extents of an array whose last are those of a page, and perhaps the names of its axes.
struct ShapedDescription {
  TiffCalibration calibration;
  std::vector<std::int64_t> shape;
  std::string axes;  // empty, or a letter for each extent
  std::string name;
};
[[nodiscard]] std::optional<ShapedDescription> parseShaped(const std::string& text, const TiffResolution& resolution);

// Takes our own geometry, as JSON. Does nothing where that is damaged.
void takeOurGeometry(const std::string& text, TiffCalibration& calibration);

// Text of a tag in UTF-8, without a mark of it: what is not is taken for Latin-1, which older programs wrote.
[[nodiscard]] std::string tiffText(std::string_view text);

struct TiffLayout {
  std::int64_t channels = 1, slices = 1, frames = 1;  // of pages, channels fastest
  int samples = 1;                                    // of each pixel of a page
  bool contiguous = true;                             // the pages follow each other without gaps, as ImageJ assumes
  [[nodiscard]] std::int64_t pages() const { return channels * slices * frames; }
};
// Descriptions that are understood without loss: lines for ImageJ, or OME's XML.
[[nodiscard]] std::string formatImageJDescription(const VolumeOutline& volume, const Metadata& metadata,
                                                  const TiffLayout& layout);
[[nodiscard]] std::string formatOmeDescription(const VolumeOutline& volume, const Metadata& metadata,
                                               const TiffLayout& layout);

}  // namespace sscope::io
