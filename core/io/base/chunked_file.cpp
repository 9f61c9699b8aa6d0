#include "core/io/base/chunked_file.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>

#include "core/io/base/file_error.h"

namespace sscope::io {

namespace {
constexpr std::size_t kFileChunk = std::size_t{4} << 20;
}

ChunkedWriter::ChunkedWriter(const std::filesystem::path& path, std::filesystem::path shown)
    : shown_(std::move(shown)), file_(::open(path.c_str(), O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC)) {
  if (!file_.valid()) throw cannotWriteErrno(shown_, errno);
}

void ChunkedWriter::write(std::span<const std::byte> bytes, const Control& control) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    control.check();
    const ssize_t n = ::write(file_.get(), bytes.data() + done, std::min(kFileChunk, bytes.size() - done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw cannotWriteErrno(shown_, errno);
    done += static_cast<std::size_t>(n);
    control.report(static_cast<double>(done) / static_cast<double>(bytes.size()), "writing");
  }
}

void ChunkedWriter::patch(std::int64_t offset, std::string_view text) {
  if (::pwrite(file_.get(), text.data(), text.size(), static_cast<off_t>(offset)) != static_cast<ssize_t>(text.size()))
    throw cannotWriteErrno(shown_, errno);
}

void ChunkedWriter::finish() {
  const int fd = file_.release();
  if (::close(fd) != 0) throw cannotWriteErrno(shown_, errno);
}

void readChunked(const std::filesystem::path& path, const std::string& shown, std::int64_t offset,
                 std::span<std::byte> out, const Control& control) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) throw cannotReadErrno(shown, errno);
  std::size_t done = 0;
  while (done < out.size()) {
    control.check();
    const ssize_t n = ::pread(file.get(), out.data() + done, std::min(kFileChunk, out.size() - done),
                              static_cast<off_t>(offset) + static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw cannotReadErrno(shown, errno);
    if (n == 0)
      throw damaged(shown, "it is cut off: it ends after " + std::to_string(done) + " of " +
                               std::to_string(out.size()) + " bytes of voxels");
    done += static_cast<std::size_t>(n);
    control.report(static_cast<double>(done) / static_cast<double>(out.size()), "reading");
  }
}

void swapBytes(std::span<std::byte> data, std::size_t size) {
  if (size < 2) return;
  for (std::size_t at = 0; at + size <= data.size(); at += size)
    std::reverse(data.begin() + static_cast<std::ptrdiff_t>(at), data.begin() + static_cast<std::ptrdiff_t>(at + size));
}

void swapBytes(std::span<std::byte> data, std::size_t size, const Control& control) {
  for (std::size_t at = 0; at < data.size(); at += kFileChunk) {
    control.check();
    swapBytes(data.subspan(at, std::min(kFileChunk, data.size() - at)), size);
    control.report(static_cast<double>(at) / static_cast<double>(data.size()), "reading");
  }
}

}  // namespace sscope::io
