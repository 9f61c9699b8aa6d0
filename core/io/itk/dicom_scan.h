#pragma once
// The tags of a folder's DICOM files that decide which of them belong together and in which order.

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace sscope::io {

struct DicomSlice {
  std::string file;
  std::optional<std::array<double, 3>> position;     // of the first pixel, LPS, mm
  std::optional<std::array<double, 6>> orientation;  // direction of a row, direction of a column
  std::optional<std::array<double, 2>> spacing;      // between rows, between columns, mm
  double instance = 0;
  std::string pixels;  // everything that decides the element type: bits, sign, rescale
};

struct DicomSeries {
  std::string uid;
  std::vector<DicomSlice> slices;
};

// Series with pixel data, the largest first. Files that are no DICOM images are left out.
[[nodiscard]] std::vector<DicomSeries> scanDicomFolder(const std::string& folder);

}  // namespace sscope::io
