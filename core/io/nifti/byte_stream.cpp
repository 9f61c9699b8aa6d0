#include "core/io/nifti/byte_stream.h"

#include <algorithm>
#include <cerrno>
#include <vector>

#include "core/io/base/file_error.h"

namespace sscope::io {

ByteStream::ByteStream(const std::string& file, std::string shown)
    : shown_(std::move(shown)), file_((errno = 0, gzopen(file.c_str(), "rb")), &gzclose) {
  if (!file_) throw cannotReadErrno(shown_, errno);
  gzbuffer(file_.get(), 1U << 18);
}

std::size_t ByteStream::readSome(std::span<std::byte> out) {
  constexpr std::size_t kMost = std::size_t{1} << 30;
  std::size_t done = 0;
  while (done < out.size()) {
    const int n = gzread(file_.get(), out.data() + done, static_cast<unsigned>(std::min(kMost, out.size() - done)));
    if (n < 0) throw damaged(shown_, "its compression is damaged");
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

void ByteStream::read(std::span<std::byte> out) {
  if (readSome(out) < out.size()) throw damaged(shown_, "it is cut off: it ends before its last voxel");
}

void ByteStream::requireChecksum(const Control& control) {
  std::vector<std::byte> behind(std::size_t{1} << 16);
  int code = Z_OK;
  do control.check();
  while (readSome(behind) == behind.size());
  static_cast<void>(gzerror(file_.get(), &code));
  if (code == Z_BUF_ERROR) throw damaged(shown_, "it is cut off: the checksum of its compressed voxels is missing");
}

void ByteStream::skip(std::size_t bytes, const Control& control) {
  std::vector<std::byte> scratch(std::min<std::size_t>(bytes, 1U << 16));
  while (bytes > 0) {
    control.check();
    const std::size_t n = std::min(bytes, scratch.size());
    read(std::span(scratch).first(n));
    bytes -= n;
  }
}

}  // namespace sscope::io
