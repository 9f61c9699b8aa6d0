#include "core/io/base/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/io/base/file_error.h"

namespace sscope::io {

InputFile::InputFile(std::string path, std::string shown)
    : path_(std::move(path)),
      shown_(std::move(shown)),
      file_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (!file_.valid()) throw cannotReadErrno(shown_, errno);
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) throw cannotReadErrno(shown_, errno);
  if (!S_ISREG(status.st_mode))
    throw cannotRead(ErrorKind::Unsupported, shown_, "it is not a regular file", "name a file");
  if (status.st_size == 0) throw damaged(shown_, "the file is empty");
  bytes_ = status.st_size;
  constexpr std::size_t kHead = std::size_t{1} << 12;
  head_ = text(0, kHead);
}

std::size_t InputFile::read(std::int64_t offset, std::span<std::byte> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t n = ::pread(file_.get(), out.data() + done, out.size() - done,
                              static_cast<off_t>(offset) + static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw cannotReadErrno(shown_, errno);
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

std::string InputFile::text(std::int64_t offset, std::size_t most) const {
  const std::int64_t left = bytes_ - offset;
  if (offset < 0 || left <= 0) return {};
  std::string result(std::min(most, static_cast<std::size_t>(left)), '\0');
  result.resize(read(offset, std::as_writable_bytes(std::span(result))));
  return result;
}

InputBuffer::int_type InputBuffer::underflow() {
  if (gptr() == egptr()) {
    const std::size_t count = file_.read(end_, std::as_writable_bytes(std::span(buffer_)));
    end_ += static_cast<std::int64_t>(count);
    setg(buffer_.data(), buffer_.data(), buffer_.data() + count);
    if (count == 0) return traits_type::eof();
  }
  return traits_type::to_int_type(*gptr());
}

InputBuffer::pos_type InputBuffer::seekoff(off_type offset, std::ios_base::seekdir from,
                                           std::ios_base::openmode which) {
  const std::int64_t here = end_ - (egptr() - gptr());
  const std::int64_t base = from == std::ios_base::beg ? 0 : from == std::ios_base::cur ? here : file_.bytes();
  return seekpos(base + offset, which);
}

InputBuffer::pos_type InputBuffer::seekpos(pos_type position, std::ios_base::openmode /*which*/) {
  const auto place = static_cast<std::int64_t>(position);
  if (place < 0) return pos_type(off_type(-1));
  const std::int64_t begin = end_ - (egptr() - eback());
  if (place >= begin && place <= end_) {
    setg(eback(), eback() + (place - begin), egptr());
  } else {
    end_ = place;
    setg(nullptr, nullptr, nullptr);
  }
  return position;
}

}  // namespace sscope::io
