#pragma once
// How the chunks of a Zarr array are packed.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sscope::io {

enum class ZarrCodec : std::uint8_t {
  deflate,  // "gzip" or "zlib"
  zstd,
  blosc,
  lz4,     // of numcodecs: the number of bytes, then a block
  crc32c,  // packs nothing: a checksum behind the bytes
};

// By the word of either version of Zarr; empty for one that is not known here.
[[nodiscard]] std::optional<ZarrCodec> zarrCodecOf(std::string_view word);

// CRC-32C (Castagnoli).
[[nodiscard]] std::uint32_t crc32c(std::span<const std::byte> bytes);

// `packed` as `codecs`, the first applied first, made it of `bytes` bytes. `out` and `other` are used as room. `shown`
// names the chunk in errors. What a packed header claims is compared before there is room for it. Throws Error(BadData)
// where there were not exactly so many bytes or a checksum is another, Error(Unsupported) where the build lacks a
// codec.
void unpackChunk(std::span<const std::byte> packed, const std::vector<ZarrCodec>& codecs, std::size_t bytes,
                 const std::string& shown, std::vector<std::byte>& out, std::vector<std::byte>& other);

// How chunks are packed that are written: the best that this build has.
enum class ZarrPacking : std::uint8_t { none, blosc, zstd, gzip };
[[nodiscard]] ZarrPacking bestPacking();
// Appends nothing: `out` becomes the packed bytes of values of `size` bytes.
void packChunk(std::span<const std::byte> bytes, std::size_t size, ZarrPacking packing, std::vector<std::byte>& out);

}  // namespace sscope::io
