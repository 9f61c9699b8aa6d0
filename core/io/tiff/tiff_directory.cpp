#include "core/io/tiff/tiff_directory.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace sscope::io {

namespace {

enum Type : std::uint16_t { Byte = 1, Ascii = 2, Short = 3, Long = 4, Rational = 5, Long8 = 16 };

// In this machine's order, which the first two bytes of the file name.
template <class T>
void append(std::vector<std::byte>& bytes, T value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

void appendWord(std::vector<std::byte>& bytes, std::uint64_t value, bool big) {
  if (big) return append(bytes, value);
  append(bytes, static_cast<std::uint32_t>(value));
}

}  // namespace

TiffFraction tiffFraction(double value) {
  constexpr double kMost = std::numeric_limits<std::uint32_t>::max();
  if (!(value > 1 / kMost)) return {1, std::numeric_limits<std::uint32_t>::max()};
  if (value >= kMost) return {std::numeric_limits<std::uint32_t>::max(), 1};
  // Convergents of the continued fraction.
  double n0 = 0, d0 = 1, n1 = 1, d1 = 0, rest = value;
  for (int step = 0; step < 64; ++step) {
    const double whole = std::floor(rest);
    const double n = whole * n1 + n0, d = whole * d1 + d0;
    if (n > kMost || d > kMost) break;
    n0 = n1;
    d0 = d1;
    n1 = n;
    d1 = d;
    if (rest - whole < 1e-12 || n1 / d1 == value) break;
    rest = 1 / (rest - whole);
  }
  return {static_cast<std::uint32_t>(n1), static_cast<std::uint32_t>(d1)};
}

void TiffDirectory::shorts(std::uint16_t tag, const std::vector<std::uint16_t>& values) {
  Entry entry{tag, Short, values.size(), {}};
  for (const std::uint16_t value : values) append(entry.value, value);
  entries_.push_back(std::move(entry));
}

void TiffDirectory::number(std::uint16_t tag, std::uint64_t value) {
  const bool wide = value > std::numeric_limits<std::uint32_t>::max();
  Entry entry{tag, wide ? Long8 : Long, 1, {}};
  appendWord(entry.value, value, wide);
  entries_.push_back(std::move(entry));
}

void TiffDirectory::longs(std::uint16_t tag, const std::vector<std::uint32_t>& values) {
  Entry entry{tag, Long, values.size(), {}};
  for (const std::uint32_t value : values) append(entry.value, value);
  entries_.push_back(std::move(entry));
}

void TiffDirectory::bytes(std::uint16_t tag, const std::vector<std::byte>& values) {
  entries_.push_back({tag, Byte, values.size(), values});
}

void TiffDirectory::fraction(std::uint16_t tag, TiffFraction value) {
  Entry entry{tag, Rational, 1, {}};
  append(entry.value, value.numerator);
  append(entry.value, value.denominator);
  entries_.push_back(std::move(entry));
}

void TiffDirectory::text(std::uint16_t tag, const std::string& value) {
  Entry entry{tag, Ascii, value.size() + 1, {}};
  for (const char c : value) entry.value.push_back(static_cast<std::byte>(c));
  entry.value.push_back(std::byte{0});
  entries_.push_back(std::move(entry));
}

std::vector<std::byte> TiffDirectory::bytes(std::uint64_t offset, bool big, bool more) const {
  const std::size_t word = big ? 8 : 4;
  const std::size_t size = (big ? 8 : 2) + entries_.size() * (big ? 20 : 12) + word;
  std::vector<std::byte> table, outside;
  if (big) {
    append(table, static_cast<std::uint64_t>(entries_.size()));
  } else {
    append(table, static_cast<std::uint16_t>(entries_.size()));
  }
  for (const Entry& entry : entries_) {
    append(table, entry.tag);
    append(table, entry.type);
    appendWord(table, entry.count, big);
    if (entry.value.size() <= word) {
      table.insert(table.end(), entry.value.begin(), entry.value.end());
      table.resize(table.size() + word - entry.value.size());
    } else {
      appendWord(table, offset + size + outside.size(), big);
      outside.insert(outside.end(), entry.value.begin(), entry.value.end());
      if (outside.size() % 2 != 0) outside.push_back(std::byte{0});
    }
  }
  if ((size + outside.size()) % 2 != 0) outside.push_back(std::byte{0});
  appendWord(table, more ? offset + size + outside.size() : 0, big);
  table.insert(table.end(), outside.begin(), outside.end());
  return table;
}

std::string tiffStart(std::uint64_t firstDirectory, bool big) {
  std::vector<std::byte> bytes;
  const char letter = std::endian::native == std::endian::little ? 'I' : 'M';
  append(bytes, letter);
  append(bytes, letter);
  append(bytes, static_cast<std::uint16_t>(big ? 43 : 42));
  if (big) {
    append(bytes, std::uint16_t{8});
    append(bytes, std::uint16_t{0});
  }
  appendWord(bytes, firstDirectory, big);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace sscope::io
