#ifdef SSCOPE_IO_ZLIB
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/base/paths.h"
#include "core/io/base/chunked_file.h"
#include "core/io/base/deflate.h"
#include "core/io/native/png.h"
#include "core/volume/provenance.h"

namespace sscope::io {

namespace {

using Bytes = std::vector<std::byte>;

void appendBigEndian(Bytes& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::byte>(value >> shift));
}

void writeChunk(ChunkedWriter& file, std::string_view name, std::span<const std::byte> content) {
  Bytes bytes;
  appendBigEndian(bytes, static_cast<std::uint32_t>(content.size()));
  for (const char c : name) bytes.push_back(static_cast<std::byte>(c));
  bytes.insert(bytes.end(), content.begin(), content.end());
  const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data() + 4), static_cast<uInt>(bytes.size() - 4));
  appendBigEndian(bytes, static_cast<std::uint32_t>(sum));
  file.write(std::span<const std::byte>(bytes), {});
}

Bytes headerOf(const Volume& volume) {
  constexpr std::array<int, 4> kColorTypes = {0, 4, 2, 6};  // gray, gray with alpha, RGB, RGBA
  const VolumeShape& s = volume.shape();
  Bytes header;
  appendBigEndian(header, static_cast<std::uint32_t>(s.nx));
  appendBigEndian(header, static_cast<std::uint32_t>(s.ny));
  header.push_back(static_cast<std::byte>(8 * bytesOf(volume.type())));
  header.push_back(static_cast<std::byte>(kColorTypes[static_cast<std::size_t>(s.components - 1)]));
  header.resize(header.size() + 3);  // deflate, the usual filters, not interlaced
  return header;
}

std::byte paeth(int left, int above, int corner) {
  const int guess = left + above - corner;
  const int a = std::abs(guess - left), b = std::abs(guess - above), c = std::abs(guess - corner);
  return static_cast<std::byte>(a <= b && a <= c ? left : b <= c ? above : corner);
}

// The five ways to predict a byte from its neighbors; the one with the smallest differences packs best as a rule.
class RowFilter {
 public:
  RowFilter(std::size_t rowBytes, std::size_t pixelBytes)
      : pixelBytes_(pixelBytes), above_(rowBytes), row_(rowBytes), tried_(rowBytes + 1), best_(rowBytes + 1) {}

  // The row as it is stored, the number of its filter first.
  std::span<const std::byte> filtered(std::span<const std::byte> row) {
    row_.assign(row.begin(), row.end());
    std::int64_t least = -1;
    for (int kind = 0; kind < 5; ++kind) {
      const std::int64_t sum = tryKind(kind);
      if (least >= 0 && sum >= least) continue;
      least = sum;
      best_.swap(tried_);
    }
    above_.swap(row_);
    return best_;
  }

 private:
  std::int64_t tryKind(int kind) {
    tried_[0] = static_cast<std::byte>(kind);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < row_.size(); ++i) {
      const int left = i < pixelBytes_ ? 0 : std::to_integer<int>(row_[i - pixelBytes_]);
      const int above = std::to_integer<int>(above_[i]);
      const int corner = i < pixelBytes_ ? 0 : std::to_integer<int>(above_[i - pixelBytes_]);
      const int guess = kind == 0   ? 0
                        : kind == 1 ? left
                        : kind == 2 ? above
                        : kind == 3 ? (left + above) / 2
                                    : std::to_integer<int>(paeth(left, above, corner));
      const auto difference = static_cast<std::uint8_t>(std::to_integer<int>(row_[i]) - guess);
      tried_[i + 1] = static_cast<std::byte>(difference);
      sum += std::abs(static_cast<int>(static_cast<std::int8_t>(difference)));
    }
    return sum;
  }

  std::size_t pixelBytes_;
  Bytes above_, row_, tried_, best_;
};

}  // namespace

void writePng(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
              const Control& control) {
  const VolumeShape& s = volume.shape();
  const std::size_t pixelBytes = static_cast<std::size_t>(s.components) * bytesOf(volume.type());
  const std::size_t rowBytes = static_cast<std::size_t>(s.nx) * pixelBytes;
  const bool swap = bytesOf(volume.type()) > 1 && std::endian::native == std::endian::little;
  writeAtomically(
      path,
      [&](const std::filesystem::path& part) {
        ChunkedWriter file(part, path);
        file.write(std::string_view("\x89PNG\r\n\x1a\n"));
        writeChunk(file, "IHDR", headerOf(volume));
        if (const std::string& made = options.metadata.provenance; !made.empty()) {
          const std::string text = kProvenanceKey + std::string(5, '\0') + made;
          writeChunk(file, "iTXt", std::as_bytes(std::span(text)));
        }
        Deflater deflater(Deflater::Wrap::Zlib,
                          [&](std::span<const std::byte> packed) { writeChunk(file, "IDAT", packed); });
        RowFilter filter(rowBytes, pixelBytes);
        Bytes row(rowBytes);
        for (std::int64_t y = 0; y < s.ny; ++y) {
          control.check();
          std::copy_n(volume.data() + static_cast<std::size_t>(y) * rowBytes, rowBytes, row.begin());
          if (swap) swapBytes(row, bytesOf(volume.type()));
          deflater.write(filter.filtered(row), {});
          control.report(static_cast<double>(y + 1) / static_cast<double>(s.ny), "writing");
        }
        deflater.finish();
        writeChunk(file, "IEND", {});
        file.finish();
      },
      options.names);
}

}  // namespace sscope::io
#endif
