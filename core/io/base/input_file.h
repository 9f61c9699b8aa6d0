#pragma once
// A file that is read: it is opened once to recognize its format, to parse its header and to read its voxels.

#include <cstddef>
#include <cstdint>
#include <istream>
#include <memory>
#include <span>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/base/descriptor.h"

namespace sscope::io {

class InputFile {
 public:
  // Opens `path` and reads its first bytes; never waits for a pipe. Errors name `shown`, the name that the user gave.
  // Throws Error(NotFound, Io), Error(Unsupported) where it is no regular file, Error(BadData) where it is empty.
  explicit InputFile(const std::string& path) : InputFile(path, path) {}
  InputFile(std::string path, std::string shown);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& shown() const { return shown_; }
  // The size when the file was opened.
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  // The first bytes of the file, some thousands of them.
  [[nodiscard]] std::string_view head() const { return head_; }
  [[nodiscard]] bool isGzip() const { return head_.starts_with("\x1f\x8b"); }
  [[nodiscard]] int descriptor() const { return file_.get(); }

  // Fills `out` from `offset` on and returns the number of bytes, which is smaller only at the end of the file. Throws
  // Error(Io).
  [[nodiscard]] std::size_t read(std::int64_t offset, std::span<std::byte> out) const;
  // The same as text of at most `most` bytes.
  [[nodiscard]] std::string text(std::int64_t offset, std::size_t most) const;

 private:
  std::string path_, shown_;
  Descriptor file_;
  std::int64_t bytes_ = 0;
  std::string head_;
};

// Decoders that read planes later keep the file open.
using InputPointer = std::shared_ptr<const InputFile>;

// The bytes of an open file as a stream, for parsers of text and tags.
class InputBuffer : public std::streambuf {
 public:
  explicit InputBuffer(const InputFile& file) : file_(file) {}

 protected:
  int_type underflow() override;
  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode which) override;
  pos_type seekpos(pos_type position, std::ios_base::openmode which) override;

 private:
  const InputFile& file_;
  std::int64_t end_ = 0;  // the place in the file that follows the buffered bytes
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 14);
};

// `file` must live as long as the stream.
class InputStream : private InputBuffer, public std::istream {
 public:
  explicit InputStream(const InputFile& file) : InputBuffer(file), std::istream(static_cast<InputBuffer*>(this)) {}
};

}  // namespace sscope::io
