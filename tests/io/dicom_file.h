#pragma once
// Small DICOM files, byte by byte ("explicit VR little endian").

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace sscope::test {

struct DicomFile {
  int width = 6, height = 5;
  int number = 1;                                                      // of the slice in its series
  std::string series = "1.2.826.0.1.3680043.2.1125.1.3";               // UID
  std::string position = "1\\2\\3", orientation = "1\\0\\0\\0\\1\\0";  // none where empty
  std::string spacing = "0.5\\0.25";                                   // between rows, between columns
  std::string modality = "OT", windowCenter, windowWidth;              // of a window; none where empty
  std::string photometric = "MONOCHROME2";
  std::map<std::uint32_t, std::pair<std::string, std::string>> more;  // elements by tag: type and value
  std::string piece;  // of compressed pixels (JPEG), instead of plain ones where it is not empty

  [[nodiscard]] std::string bytes() const;
  [[nodiscard]] std::size_t pixelBytes() const { return 2U * static_cast<std::size_t>(width * height); }
};

}  // namespace sscope::test
