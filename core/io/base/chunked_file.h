#pragma once
// Reading and writing files in pieces, with a check for cancellation before each piece and progress after it.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/base/control.h"
#include "core/io/base/descriptor.h"

namespace sscope::io {

// Writes `path`, a file that is there (core/base/atomic_file.h) and no link, and is emptied; errors name `shown`, the
// name the user gave. Throws Error(Io), Canceled.
class ChunkedWriter {
 public:
  ChunkedWriter(const std::filesystem::path& path, std::filesystem::path shown);
  void write(std::string_view text) { write(std::as_bytes(std::span<const char>(text)), {}); }
  // Reports progress of these bytes alone, 0..1.
  void write(std::span<const std::byte> bytes, const Control& control);
  // Overwrites bytes from `offset` on, which must have been written already.
  void patch(std::int64_t offset, std::string_view text);
  // Closes the file and reports late errors. A file is complete only after this.
  void finish();

 private:
  std::filesystem::path shown_;
  Descriptor file_;
};

// Fills `out` from `path` starting at byte `offset`. Throws Error(BadData) when the file is too short, Canceled.
void readChunked(const std::filesystem::path& path, const std::string& shown, std::int64_t offset,
                 std::span<std::byte> out, const Control& control);

// Reverses the bytes of each element in place; `size` is 1, 2, 4 or 8.
void swapBytes(std::span<std::byte> data, std::size_t size);
// The same in pieces, for long data.
void swapBytes(std::span<std::byte> data, std::size_t size, const Control& control);

}  // namespace sscope::io
