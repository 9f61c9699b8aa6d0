#pragma once
// The pages of a TIFF file as series: planes of one kind, each with its place among slices, channels and times.

#include <cstdint>
#include <string>
#include <vector>

#include "core/io/tiff/tiff_calibration.h"
#include "core/io/tiff/tiff_page.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

struct TiffPlane {
  std::uint64_t directory = 0;  // where that of its page begins
  std::int64_t within = 0;      // which one of those that the page holds
  std::int64_t page = 0;        // its number in the file
  std::int64_t slice = 0, component = 0;
};

struct TiffSeries {
  TiffPage page;  // of each plane
  std::string name;
  std::int64_t channels = 1, slices = 1, frames = 1;
  std::vector<TiffPlane> planes;  // by slice, then by component; those that are missing are not there
  // Whether planes of one page follow each other as they are stored: libtiff knows the first one.
  bool behindEachOther = false;
  TiffCalibration calibration;

  // Makes every plane a slice, in the file's order, for whom it is said otherwise what they are.
  void flatten();
  [[nodiscard]] std::int64_t groups() const { return channels * frames; }
  [[nodiscard]] bool complete() const { return static_cast<std::int64_t>(planes.size()) == slices * groups(); }
};

// All series of an open file, at least one, with what is to be told of each among the notices of its calibration.
// Throws Error(BadData) for planes that are not in the file, Error(Unsupported).
[[nodiscard]] std::vector<TiffSeries> tiffSeriesOf(TIFF* file, const std::string& path);

// As people choose them.
[[nodiscard]] std::vector<FilePart> partsOfSeries(const std::vector<TiffSeries>& all);

}  // namespace sscope::io
