#pragma once
// Streams of gzip and zlib, packed and unpacked piece by piece.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/base/control.h"
#include "core/io/base/input_file.h"

namespace sscope::io {

// Unpacks a stream from front to back.
class Inflater {
 public:
  // The stream, gzip or zlib, begins at `offset` of `file`, which must live as long. Throws Error(Unsupported) in a
  // build without zlib.
  Inflater(const InputFile& file, std::int64_t offset);
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Returns the number of unpacked bytes, which is smaller than out.size() only where the stream ends.
  [[nodiscard]] std::size_t readSome(std::span<std::byte> out);
  // Fills `out`, the bytes from `done` on of `needed`. Throws Error(BadData), with the missing bytes, where the stream
  // is damaged or ends early.
  void read(std::span<std::byte> out, std::int64_t done, std::int64_t needed);
  // Reads what follows the last byte that was promised: the checksum is behind it, and a stream that lost a byte goes
  // on as another one. Throws Error(BadData) where the checksum is missing or differs, Canceled.
  void requireChecksum(const Control& control);

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

// The number of bytes that the stream holds unpacked. Throws as Inflater.
[[nodiscard]] std::int64_t unpackedBytesOf(const InputFile& file, std::int64_t offset, const Control& control);

// The first `most` bytes of a file, unpacked where it is packed with gzip; fewer where it has fewer or is damaged.
[[nodiscard]] std::string unpackedHead(const InputFile& file, std::size_t most);

// Packs to one zlib or gzip stream, or one without a header, and passes it to a sink piece by piece. Builds without
// zlib refuse compression before they make one.
class Deflater {
 public:
  enum class Wrap { Zlib, Gzip, None };
  using Sink = std::function<void(std::span<const std::byte>)>;
  Deflater(Wrap wrap, Sink sink);
  ~Deflater();
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  // Reports the progress of these bytes, 0 to 1. Throws Canceled and what the sink throws.
  void write(std::span<const std::byte> bytes, const Control& control);
  void finish();
  [[nodiscard]] std::int64_t packedBytes() const;

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace sscope::io
