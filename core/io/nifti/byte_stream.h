#pragma once
// Sequential reading of a file, gzip-compressed or not.

#include <zlib.h>

#include <memory>
#include <span>
#include <string>

#include "core/base/control.h"

namespace sscope::io {

class ByteStream {
 public:
  // Throws Error(NotFound, Io).
  ByteStream(const std::string& file, std::string shown);
  // Returns the number of bytes read, up to out.size(). Throws Error(BadData) when the compression is damaged.
  [[nodiscard]] std::size_t readSome(std::span<std::byte> out);
  // Fills all of `out` or throws Error(BadData).
  void read(std::span<std::byte> out);
  // Reads so many bytes to nowhere. Throws Error(BadData), Canceled.
  void skip(std::size_t bytes, const Control& control);
  // Once all that is wanted was read: throws Error(BadData) where the file is compressed and ends there without the
  // checksum of it, or with another one. Reads all that follows. Throws Canceled.
  void requireChecksum(const Control& control);

 private:
  std::string shown_;
  std::unique_ptr<gzFile_s, decltype(&gzclose)> file_;
};

}  // namespace sscope::io
