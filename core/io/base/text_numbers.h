#pragma once
// Voxels that are written as text, one number after the other.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/base/control.h"
#include "core/io/base/convert.h"
#include "core/io/base/descriptor.h"

namespace sscope::io {

class TextNumbers {
 public:
  // `total` numbers from byte `offset` of `file` on; errors name `shown`. `separators` are characters that separate
  // numbers, besides white space. Throws Error(NotFound, Io).
  TextNumbers(const std::filesystem::path& file, std::string shown, std::int64_t offset, std::string_view separators,
              std::uint64_t total);

  // Fills `out` with the next numbers, of any type but f16. Throws Error(BadData), with the number of those that are
  // there, where the text ends, or holds something else or a number that the type cannot hold; Canceled.
  void read(Stored type, std::span<std::byte> out, const Control& control);
  // Reads all numbers without storing them.
  void check(Stored type);
  // Throws Error(BadData) where another number follows the last one that was read: the text is not what was promised.
  void requireEnd();

 private:
  template <class T, class Take>
  void each(std::uint64_t count, const Take& take, const Control& control);
  // The text up to the next separator; empty at the end. Valid until the next call.
  std::string_view word();
  bool refill();
  [[nodiscard]] bool separates(char c) const;

  std::string shown_, separators_;
  std::uint64_t total_, next_ = 0;  // numbers in the text, and how many were read
  Descriptor file_;
  std::string buffer_;
  std::size_t at_ = 0;
};

}  // namespace sscope::io
