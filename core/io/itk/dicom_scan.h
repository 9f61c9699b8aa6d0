#pragma once
// The tags of DICOM files that decide which of them belong together and in which order.

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
  std::string description;  // as the scanner's operator typed it
  std::vector<DicomSlice> slices;
};

[[nodiscard]] bool isDicomFile(const std::string& path);
// The DICOM files that lie in this folder itself, in natural order.
[[nodiscard]] std::vector<std::string> dicomFilesOf(const std::string& folder);
// Series with pixel data, the largest first; slices that are not parallel, or differ in size, are apart. Files that are
// no DICOM images are left out.
[[nodiscard]] std::vector<DicomSeries> scanDicom(const std::vector<std::string>& files);

}  // namespace sscope::io
