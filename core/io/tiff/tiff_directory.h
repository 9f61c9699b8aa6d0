#pragma once
// Writes the directories of a TIFF file: libtiff puts one after every page, but ImageJ requires the pages of a stack to
// be contiguous.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sscope::io {

struct TiffFraction {
  std::uint32_t numerator = 0, denominator = 1;
};
// The nearest fraction of 32-bit numbers; `value` > 0.
[[nodiscard]] TiffFraction tiffFraction(double value);

// The entries of one directory; add them in ascending order of tags.
class TiffDirectory {
 public:
  void shorts(std::uint16_t tag, const std::vector<std::uint16_t>& values);
  void number(std::uint16_t tag, std::uint64_t value);  // 32 bits, 64 where needed
  void longs(std::uint16_t tag, const std::vector<std::uint32_t>& values);
  void bytes(std::uint16_t tag, const std::vector<std::byte>& values);
  void fraction(std::uint16_t tag, TiffFraction value);
  void text(std::uint16_t tag, const std::string& value);

  // The bytes of the directory and of the values that do not fit into it, to be written at `offset` (even); `more` when
  // another directory follows directly.
  [[nodiscard]] std::vector<std::byte> bytes(std::uint64_t offset, bool big, bool more) const;

 private:
  struct Entry {
    std::uint16_t tag = 0, type = 0;
    std::uint64_t count = 0;
    std::vector<std::byte> value;
  };
  std::vector<Entry> entries_;
};

// The first bytes of the file, with the offset of the first directory.
[[nodiscard]] std::string tiffStart(std::uint64_t firstDirectory, bool big);

}  // namespace sscope::io
