#pragma once
// One page of a TIFF file: what its samples are, and the samples themselves.

#include <tiffio.h>

#include <cstdarg>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/io/convert.h"

namespace sscope::io {

struct TiffPage {
  std::uint32_t width = 0, height = 0;
  int bits = 1, samples = 1, format = SAMPLEFORMAT_UINT, photometric = PHOTOMETRIC_MINISBLACK;
  int compression = COMPRESSION_NONE;
  bool planar = false, tiled = false, thumbnail = false;

  [[nodiscard]] bool sameKind(const TiffPage& other) const;
  // The type of a sample unpacked to whole bytes; empty for unsupported types (3-byte floats, complex numbers).
  [[nodiscard]] std::optional<Stored> stored() const;
  [[nodiscard]] bool palette() const { return photometric == PHOTOMETRIC_PALETTE && samples == 1 && bits <= 8; }
};

// The page of the current directory.
[[nodiscard]] TiffPage pageOf(TIFF* file);

// Decodes the current page: height rows of width x samples values of `page.stored()`, samples innermost.
// False when the data is damaged. hearTiffWarning must be libtiff's handler of warnings.
[[nodiscard]] bool decodePage(TIFF* file, const TiffPage& page, std::span<std::byte> out);
void hearTiffWarning(const char* module, const char* format, std::va_list arguments);

}  // namespace sscope::io
