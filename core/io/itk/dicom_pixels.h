#pragma once
// The pixels of a DICOM file as they are stored, decoded by GDCM. Its classes of objects, which it need not know, and
// its ideas of geometry, scale and color do not matter here.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/io/base/convert.h"

namespace sscope::io {

class DicomPixels {
 public:
  // Reads the file and decodes nothing yet. Throws Error(BadData, Unsupported).
  explicit DicomPixels(const std::string& path);
  ~DicomPixels();
  DicomPixels(const DicomPixels&) = delete;
  DicomPixels& operator=(const DicomPixels&) = delete;

  [[nodiscard]] std::int64_t width() const;
  [[nodiscard]] std::int64_t height() const;
  [[nodiscard]] std::int64_t frames() const;
  [[nodiscard]] int samples() const;  // a pixel, interleaved
  [[nodiscard]] bool whiteIsSmall() const;
  [[nodiscard]] Stored stored() const;
  // That holds all scaled values of so many bits.
  [[nodiscard]] ElementType typeOf(const Scale& scale) const;
  [[nodiscard]] std::size_t frameBytes() const;
  // All frames, one after the other.
  [[nodiscard]] std::vector<std::byte> decode();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sscope::io
