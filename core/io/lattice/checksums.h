#pragma once
// The checksums of the gauge field formats, over the bytes of all links in file order.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace sscope::io {

// NERSC: the sum of the 32-bit words.
[[nodiscard]] std::uint32_t nerscChecksum(std::span<const std::byte> data, bool bigEndian);

// Two XOR sums of 32-bit words (MILC) or of the sites' CRC-32 (SciDAC), each term rotated left by its index modulo 29
// and 31.
struct RotatedSums {
  std::uint32_t by29 = 0, by31 = 0;
  bool operator==(const RotatedSums&) const = default;
};
[[nodiscard]] RotatedSums milcChecksum(std::span<const std::byte> data, bool bigEndian);
// Empty in builds without zlib, which provides CRC-32.
[[nodiscard]] std::optional<RotatedSums> scidacChecksum(std::span<const std::byte> data, std::size_t siteBytes);

}  // namespace sscope::io
