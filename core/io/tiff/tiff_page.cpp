#include "core/io/tiff/tiff_page.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "core/io/base/chunked_file.h"

namespace sscope::io {

namespace {

template <class T>
T tag(TIFF* file, ttag_t name, T fallback) {
  T value = fallback;
  return TIFFGetFieldDefaulted(file, name, &value) == 1 ? value : fallback;
}

// Big-endian bit fields of `bits` bits, as libtiff leaves them, to whole values.
class BitReader {
 public:
  explicit BitReader(const std::byte* data) : data_(data) {}
  std::uint32_t next(int bits) {
    std::uint32_t value = 0;
    for (int i = 0; i < bits; ++i, ++at_)
      value = (value << 1) | ((static_cast<std::uint32_t>(data_[at_ / 8]) >> (7 - at_ % 8)) & 1U);
    return value;
  }

 private:
  const std::byte* data_;
  std::size_t at_ = 0;
};

struct Block {
  std::uint32_t x = 0, y = 0, width = 0, height = 0, rowWidth = 0;  // rowWidth: as stored, padding included
  int plane = 0;
};

class PageDecoder {
 public:
  PageDecoder(TIFF* file, const TiffPage& page, std::uint32_t slice, std::span<std::byte> out)
      : file_(file),
        page_(page),
        slice_(slice),
        out_(out),
        valueBytes_(bytesOf(*page.stored())),
        perPixel_(page.planar ? 1 : page.samples) {}

  bool run() { return page_.tiled ? tiles() : strips(); }

 private:
  bool tiles() {
    const auto tileWidth = tag<std::uint32_t>(file_, TIFFTAG_TILEWIDTH, 0),
               tileHeight = tag<std::uint32_t>(file_, TIFFTAG_TILELENGTH, 0);
    const tmsize_t size = TIFFTileSize(file_);
    if (tileWidth == 0 || tileHeight == 0 || size <= 0 ||
        rowBytes(tileWidth) * tileHeight > static_cast<std::size_t>(size))
      return false;
    // libtiff decodes the first slice of a tile alone; where nothing is packed, all of them lie there.
    const tmsize_t whole = size * static_cast<tmsize_t>(page_.tileDepth);
    buffer_.resize(static_cast<std::size_t>(whole));
    for (int plane = 0; plane < planes(); ++plane)
      for (std::uint32_t y = 0; y < page_.height; y += tileHeight)
        for (std::uint32_t x = 0; x < page_.width; x += tileWidth) {
          const auto index = TIFFComputeTile(file_, x, y, slice_, static_cast<std::uint16_t>(plane));
          if (page_.tileDepth > 1) {
            if (TIFFReadRawTile(file_, index, buffer_.data(), whole) != whole) return false;
            std::memmove(buffer_.data(), buffer_.data() + size * (slice_ % page_.tileDepth),
                         static_cast<std::size_t>(size));
            if (TIFFIsByteSwapped(file_) != 0)
              swapBytes(std::span(buffer_).first(static_cast<std::size_t>(size)), valueBytes_);
          } else if (TIFFReadEncodedTile(file_, index, buffer_.data(), size) < 0) {
            return false;
          }
          place({x, y, std::min(tileWidth, page_.width - x), std::min(tileHeight, page_.height - y), tileWidth, plane});
        }
    return true;
  }

  bool strips() {
    const std::uint32_t rows =
        std::clamp<std::uint32_t>(tag<std::uint32_t>(file_, TIFFTAG_ROWSPERSTRIP, page_.height), 1, page_.height);
    const tmsize_t size = TIFFStripSize(file_);
    if (size <= 0 || rowBytes(page_.width) * rows > static_cast<std::size_t>(size)) return false;
    if (!asDecoded()) buffer_.resize(static_cast<std::size_t>(size));
    for (int plane = 0; plane < planes(); ++plane)
      for (std::uint32_t y = 0; y < page_.height; y += rows) {
        const Block block{0, y, page_.width, std::min(rows, page_.height - y), page_.width, plane};
        const std::size_t needed = rowBytes(page_.width) * block.height;
        const auto index = TIFFComputeStrip(file_, y, static_cast<std::uint16_t>(plane));
        // A strip may be a whole picture of gigabytes.
        std::byte* const to = asDecoded() ? out_.data() + rowBytes(page_.width) * y : buffer_.data();
        const tmsize_t got = TIFFReadEncodedStrip(file_, index, to, asDecoded() ? static_cast<tmsize_t>(needed) : size);
        if (got < 0 || static_cast<std::size_t>(got) < needed) return false;
        if (!asDecoded()) place(block);
      }
    return true;
  }

  // Whether rows come out of libtiff as they are used.
  [[nodiscard]] bool asDecoded() const { return !page_.planar && page_.bits % 8 == 0 && page_.bits != 24; }
  [[nodiscard]] int planes() const { return page_.planar ? page_.samples : 1; }
  [[nodiscard]] std::size_t rowBytes(std::uint32_t width) const {
    return (static_cast<std::size_t>(width) * static_cast<std::size_t>(perPixel_) *
                static_cast<std::size_t>(page_.bits) +
            7) /
           8;
  }

  void place(const Block& block) {
    const std::size_t values = static_cast<std::size_t>(block.width) * static_cast<std::size_t>(perPixel_);
    for (std::uint32_t row = 0; row < block.height; ++row) {
      const std::byte* in = buffer_.data() + rowBytes(block.rowWidth) * row;
      const std::size_t pixel = static_cast<std::size_t>(block.y + row) * page_.width + block.x;
      std::byte* to =
          out_.data() +
          (pixel * static_cast<std::size_t>(page_.samples) + static_cast<std::size_t>(block.plane)) * valueBytes_;
      const std::size_t stride = page_.planar ? static_cast<std::size_t>(page_.samples) : 1;
      if (page_.bits % 8 != 0 || page_.bits == 24) {
        unpack(in, to, values, stride);
      } else if (stride == 1) {
        std::memcpy(to, in, values * valueBytes_);
      } else {
        for (std::size_t i = 0; i < values; ++i)
          std::memcpy(to + i * stride * valueBytes_, in + i * valueBytes_, valueBytes_);
      }
    }
  }

  void unpack(const std::byte* in, std::byte* to, std::size_t values, std::size_t stride) const {
    BitReader reader(in);
    for (std::size_t i = 0; i < values; ++i) {
      const std::uint32_t value = reader.next(page_.bits);
      std::memcpy(to + i * stride * valueBytes_, &value, valueBytes_);  // little-endian machines only, as all of ours
    }
  }

  TIFF* file_;
  const TiffPage& page_;
  std::uint32_t slice_;
  std::span<std::byte> out_;
  std::size_t valueBytes_;
  int perPixel_;
  std::vector<std::byte> buffer_;
};

}  // namespace

bool TiffPage::sameKind(const TiffPage& o) const {
  return width == o.width && height == o.height && bits == o.bits && samples == o.samples && format == o.format &&
         photometric == o.photometric && depth == o.depth;
}

bool TiffPage::plain() const {
  const auto type = stored();
  return type && compression == COMPRESSION_NONE && !tiled && !planar && !palette() && !reversedBits &&
         bits == static_cast<int>(8 * bytesOf(*type));
}

std::optional<Stored> TiffPage::stored() const {
  if (format == SAMPLEFORMAT_IEEEFP) {
    if (bits == 16) return Stored::f16;
    if (bits == 32) return Stored::f32;
    if (bits == 64) return Stored::f64;
    return std::nullopt;
  }
  const bool negative = format == SAMPLEFORMAT_INT;
  if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID && !negative) return std::nullopt;
  if (bits == 64) return negative ? Stored::i64 : Stored::u64;
  // Sign bits of packed fields would need an extension nobody writes.
  if (negative && bits != 8 && bits != 16 && bits != 32) return std::nullopt;
  if (bits <= 8) return negative ? Stored::i8 : Stored::u8;
  if (bits <= 16) return negative ? Stored::i16 : Stored::u16;
  if (bits <= 32) return negative ? Stored::i32 : Stored::u32;
  return std::nullopt;
}

TiffPage pageOf(TIFF* file) {
  TiffPage page;
  page.directory = TIFFCurrentDirOffset(file);
  page.width = tag<std::uint32_t>(file, TIFFTAG_IMAGEWIDTH, 0);
  page.height = tag<std::uint32_t>(file, TIFFTAG_IMAGELENGTH, 0);
  page.bits = tag<std::uint16_t>(file, TIFFTAG_BITSPERSAMPLE, 1);
  page.samples = tag<std::uint16_t>(file, TIFFTAG_SAMPLESPERPIXEL, 1);
  page.format = tag<std::uint16_t>(file, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  page.photometric = tag<std::uint16_t>(file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  page.compression = tag<std::uint16_t>(file, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  page.planar =
      page.samples > 1 && tag<std::uint16_t>(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
  page.tiled = TIFFIsTiled(file) != 0;
  page.reversedBits = tag<std::uint16_t>(file, TIFFTAG_FILLORDER, FILLORDER_MSB2LSB) != FILLORDER_MSB2LSB;
  page.depth = std::max<std::uint32_t>(1, tag<std::uint32_t>(file, TIFFTAG_IMAGEDEPTH, 1));
  page.tileDepth = page.tiled ? tag<std::uint32_t>(file, TIFFTAG_TILEDEPTH, 1) : 1;
  page.thumbnail = (tag<std::uint32_t>(file, TIFFTAG_SUBFILETYPE, 0) & FILETYPE_REDUCEDIMAGE) != 0;
  return page;
}

namespace {
// libtiff's JPEG decoder paints pixels that are missing gray, and says so in a warning.
bool pixelsMissing = false;
}  // namespace

void hearTiffWarning(const char* module, const char* format, std::va_list arguments) {
  if (module == nullptr || std::string_view(module) != "JPEGLib") return;
  std::array<char, 256> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  const std::string_view said(text.data());
  for (const std::string_view words : {"remature end", "bad Huffman", "bad arithmetic", "resync"})
    pixelsMissing = pixelsMissing || said.find(words) != std::string_view::npos;
}

bool decodePage(TIFF* file, const TiffPage& page, std::uint32_t slice, std::span<std::byte> out) {
  if (page.photometric == PHOTOMETRIC_YCBCR && page.compression == COMPRESSION_JPEG)
    TIFFSetField(file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  pixelsMissing = false;
  return PageDecoder(file, page, slice, out).run() && !pixelsMissing;
}

}  // namespace sscope::io
