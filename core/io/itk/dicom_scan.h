#pragma once
// The DICOM tags that group files into series and order them, and that say how they are looked at.

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
  std::optional<std::array<double, 2>> window;       // lower and upper value to show
  std::string modality;
  double instance = 0;
  std::string pixels;  // everything that decides the element type: bits, sign, rescale
};

struct DicomSeries {
  std::string description;  // as the scanner's operator typed it
  std::vector<DicomSlice> slices;
};

[[nodiscard]] bool isDicomFile(const std::string& path);
// The DICOM files directly in this folder, in natural order.
[[nodiscard]] std::vector<std::string> dicomFilesOf(const std::string& folder);
// Series with pixel data, the largest first; slices that are not parallel or differ in size form separate series. Files
// that are not DICOM images are left out.
[[nodiscard]] std::vector<DicomSeries> scanDicom(const std::vector<std::string>& files);

}  // namespace sscope::io
