#include "core/io/lattice/checksums.h"

#include <bit>

#ifdef SSCOPE_IO_ZLIB
#include <zlib.h>
#endif

namespace sscope::io {

namespace {

std::uint32_t wordAt(std::span<const std::byte> data, std::size_t at, bool bigEndian) {
  std::uint32_t word = 0;
  for (std::size_t k = 0; k < 4; ++k)
    word |= std::to_integer<std::uint32_t>(data[at + k]) << (8 * (bigEndian ? 3 - k : k));
  return word;
}

void add(RotatedSums& sums, std::uint32_t value, std::size_t rank) {
  sums.by29 ^= std::rotl(value, static_cast<int>(rank % 29));
  sums.by31 ^= std::rotl(value, static_cast<int>(rank % 31));
}

}  // namespace

std::uint32_t nerscChecksum(std::span<const std::byte> data, bool bigEndian) {
  std::uint32_t sum = 0;
  for (std::size_t at = 0; at + 4 <= data.size(); at += 4) sum += wordAt(data, at, bigEndian);
  return sum;
}

RotatedSums milcChecksum(std::span<const std::byte> data, bool bigEndian) {
  RotatedSums sums;
  for (std::size_t at = 0; at + 4 <= data.size(); at += 4) add(sums, wordAt(data, at, bigEndian), at / 4);
  return sums;
}

std::optional<RotatedSums> scidacChecksum(std::span<const std::byte> data, std::size_t siteBytes) {
#ifdef SSCOPE_IO_ZLIB
  RotatedSums sums;
  for (std::size_t at = 0; at + siteBytes <= data.size(); at += siteBytes) {
    const auto* bytes = reinterpret_cast<const Bytef*>(data.data() + at);
    add(sums, static_cast<std::uint32_t>(crc32(crc32(0, nullptr, 0), bytes, static_cast<uInt>(siteBytes))),
        at / siteBytes);
  }
  return sums;
#else
  static_cast<void>(data);
  static_cast<void>(siteBytes);
  return std::nullopt;
#endif
}

}  // namespace sscope::io
