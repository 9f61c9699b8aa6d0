#pragma once
// Links as bytes: sites x fastest, in each the links along x y z t, in each rows of columns of complex numbers. The
// checksums of the gauge field formats are over these bytes of all links in file order.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/control.h"
#include "core/lattice/fields.h"

namespace sscope::io {

struct LinkLayout {
  int precision = 64;  // bits
  bool bigEndian = true;
  int rows = 3;  // 2: the third is the conjugate of the cross product of the others

  [[nodiscard]] std::size_t siteBytes() const {
    return static_cast<std::size_t>(lattice::kDirections * rows * 3 * 2 * precision / 8);
  }
};

// The first site's link along x.
[[nodiscard]] lattice::Matrix3 firstLink(const LinkLayout& layout, std::span<const std::byte> data);

// `data` holds every site. Throws Canceled, Error(Memory).
[[nodiscard]] lattice::GaugeField decodeLinks(const lattice::Lattice& lattice, const LinkLayout& layout,
                                              std::span<const std::byte> data, const Control& control);
[[nodiscard]] std::vector<std::byte> encodeLinks(const lattice::GaugeField& field, const LinkLayout& layout,
                                                 const Control& control);

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
