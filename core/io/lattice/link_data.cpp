#include "core/io/lattice/link_data.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/io/base/chunked_file.h"
#include "core/lattice/parallel.h"
#ifdef SSCOPE_IO_ZLIB
#include <zlib.h>
#endif

namespace sscope::io {

using namespace lattice;

namespace {

bool swapped(const LinkLayout& layout) { return layout.bigEndian != (std::endian::native == std::endian::big); }

template <class T>
T numberAt(const std::byte* data, bool swap) {
  std::byte bytes[sizeof(T)];
  std::memcpy(bytes, data, sizeof(T));
  if (swap) swapBytes(bytes, sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <class T>
void putNumber(std::byte* data, double number, bool swap) {
  const auto value = static_cast<T>(number);
  std::memcpy(data, &value, sizeof(T));
  if (swap) swapBytes({data, sizeof(T)}, sizeof(T));
}

std::size_t linkBytes(const LinkLayout& layout) { return layout.siteBytes() / kDirections; }

template <class T>
Matrix3 decodedLink(const std::byte* at, const LinkLayout& layout) {
  const bool swap = swapped(layout);
  Matrix3 link;
  for (std::size_t k = 0; k < static_cast<std::size_t>(3 * layout.rows); ++k, at += 2 * sizeof(T))
    link.element[k] = {numberAt<T>(at, swap), numberAt<T>(at + sizeof(T), swap)};
  if (layout.rows == 2) rebuildThirdRow(link);
  return link;
}

template <class T>
void decodeSites(GaugeField& field, const LinkLayout& layout, std::span<const std::byte> data, const Control& control) {
  forPieces(field.lattice().volume(), control, [&](std::int64_t begin, std::int64_t end) {
    const std::byte* at = data.data() + static_cast<std::size_t>(begin) * layout.siteBytes();
    for (std::int64_t site = begin; site < end; ++site)
      for (int mu = 0; mu < kDirections; ++mu, at += linkBytes(layout))
        field.link(site, mu) = decodedLink<T>(at, layout);
  });
}

template <class T>
void encodeSites(const GaugeField& field, const LinkLayout& layout, std::span<std::byte> data, const Control& control) {
  const bool swap = swapped(layout);
  const auto elements = static_cast<std::size_t>(3 * layout.rows);
  forPieces(field.lattice().volume(), control, [&](std::int64_t begin, std::int64_t end) {
    std::byte* at = data.data() + static_cast<std::size_t>(begin) * layout.siteBytes();
    for (std::int64_t site = begin; site < end; ++site)
      for (int mu = 0; mu < kDirections; ++mu)
        for (std::size_t k = 0; k < elements; ++k, at += 2 * sizeof(T)) {
          putNumber<T>(at, field.link(site, mu).element[k].real(), swap);
          putNumber<T>(at + sizeof(T), field.link(site, mu).element[k].imag(), swap);
        }
  });
}

}  // namespace

Matrix3 firstLink(const LinkLayout& layout, std::span<const std::byte> data) {
  return layout.precision == 32 ? decodedLink<float>(data.data(), layout) : decodedLink<double>(data.data(), layout);
}

GaugeField decodeLinks(const Lattice& lattice, const LinkLayout& layout, std::span<const std::byte> data,
                       const Control& control) {
  GaugeField field(lattice, control);
  if (layout.precision == 32) {
    decodeSites<float>(field, layout, data, control);
  } else {
    decodeSites<double>(field, layout, data, control);
  }
  return field;
}

std::vector<std::byte> encodeLinks(const GaugeField& field, const LinkLayout& layout, const Control& control) {
  std::vector<std::byte> data(static_cast<std::size_t>(field.lattice().volume()) * layout.siteBytes());
  if (layout.precision == 32) {
    encodeSites<float>(field, layout, data, control);
  } else {
    encodeSites<double>(field, layout, data, control);
  }
  return data;
}

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
