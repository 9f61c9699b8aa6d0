#pragma once
// Voxels that are written as text, one number behind the other.

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
  // From byte `offset` of `file` on; errors name `shown`. `more` are characters that separate numbers, besides white
  // space. Throws Error(NotFound, Io).
  TextNumbers(const std::filesystem::path& file, std::string shown, std::int64_t offset, std::string_view more = {});

  // Fills `out` with the next numbers, of any type but f16. Throws Error(BadData), saying how many are there, where the
  // text ends, or holds something else or a number that the type cannot hold; Canceled.
  void read(Stored type, std::span<std::byte> out, const Control& control);
  // The same without keeping them.
  void check(Stored type, std::uint64_t count);
  // Throws Error(BadData) where another number follows the last one that was read: the text is not what was promised.
  void requireEnd();

 private:
  template <class T, class Take>
  void each(std::uint64_t count, const Take& take, const Control& control);
  // Up to the next separator; empty at the end. Valid until the next call.
  std::string_view word();
  bool refill();
  [[nodiscard]] bool separates(char c) const;

  std::string shown_, more_;
  Descriptor file_;
  std::string buffer_;
  std::size_t at_ = 0;
};

}  // namespace sscope::io
