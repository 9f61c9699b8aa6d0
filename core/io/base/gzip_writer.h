#pragma once
// Compression with zlib, in pieces.

#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "core/base/control.h"
#include "core/io/base/chunked_file.h"

namespace sscope::io {

// Compresses to one zlib or gzip stream, or one without a header, and passes it to a sink piece by piece.
class Deflater {
 public:
  enum class Wrap { Zlib, Gzip, None };
  using Sink = std::function<void(std::span<const std::byte>)>;
  Deflater(Wrap wrap, Sink sink);
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  // Reports progress for these bytes only, 0..1. Throws Canceled and what the sink throws.
  void write(std::span<const std::byte> bytes, const Control& control);
  void finish();
  [[nodiscard]] std::int64_t packedBytes() const { return packed_; }

 private:
  void run(int flush);

  Sink sink_;
  z_stream stream_{};
  std::vector<std::byte> buffer_;
  std::int64_t packed_ = 0;
};

// A gzip file: as ChunkedWriter, compressed. Throws Error(Io), Canceled.
class GzipWriter {
 public:
  GzipWriter(const std::filesystem::path& path, std::filesystem::path shown);
  void write(std::span<const std::byte> bytes, const Control& control) { deflater_.write(bytes, control); }
  void finish();

 private:
  ChunkedWriter file_;
  Deflater deflater_;
};

}  // namespace sscope::io
