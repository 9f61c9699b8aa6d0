#pragma once
// One page of a TIFF file: what its samples are, and the samples themselves.

#include <tiffio.h>

#include <cstdarg>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/io/base/convert.h"

namespace sscope::io {

struct TiffPage {
  std::uint64_t directory = 0;  // where it begins in the file
  std::uint32_t width = 0, height = 0;
  int bits = 1, samples = 1, format = SAMPLEFORMAT_UINT, photometric = PHOTOMETRIC_MINISBLACK;
  int compression = COMPRESSION_NONE;
  bool planar = false, tiled = false, thumbnail = false, reversedBits = false;
  std::uint32_t depth = 1, tileDepth = 1;  // slices that it holds (ImageDepth), and of a tile

  [[nodiscard]] bool sameKind(const TiffPage& other) const;
  // The type of a sample unpacked to whole bytes; empty for unsupported types (3-byte floats, complex numbers).
  [[nodiscard]] std::optional<Stored> stored() const;
  // Whether its pixels are stored as they are used, but for the order of bytes, row by row.
  [[nodiscard]] bool plain() const;
  [[nodiscard]] bool palette() const { return photometric == PHOTOMETRIC_PALETTE && samples == 1 && bits <= 8; }
};

// The page of the current directory.
[[nodiscard]] TiffPage pageOf(TIFF* file);

// Decodes the current page: height rows of width x samples values of `page.stored()`, samples innermost.
// Of a page of several slices, that one. False when the data is damaged. hearTiffWarning must be libtiff's handler of
// warnings.
[[nodiscard]] bool decodePage(TIFF* file, const TiffPage& page, std::uint32_t slice, std::span<std::byte> out);
void hearTiffWarning(const char* module, const char* format, std::va_list arguments);

}  // namespace sscope::io
