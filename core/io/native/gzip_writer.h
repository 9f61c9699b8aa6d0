#pragma once
// A gzip file written in pieces.

#include <zlib.h>

#include <filesystem>
#include <memory>
#include <span>

#include "core/base/control.h"

namespace sscope::io {

// As ChunkedWriter, compressed. Throws Error(Io), Canceled.
class GzipWriter {
 public:
  GzipWriter(const std::filesystem::path& path, std::filesystem::path shown);
  void write(std::span<const std::byte> bytes, const Control& control);
  void finish();

 private:
  std::filesystem::path shown_;
  std::unique_ptr<gzFile_s, decltype(&gzclose)> file_;
};

}  // namespace sscope::io
