#include "core/io/planes/write_back.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/base/stopwatch.h"
#include "core/io/base/file_error.h"

namespace sscope::io {

namespace {
constexpr unsigned kUntilStored = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
}

void WriteBack::store(const Descriptor& file, const Piece& piece, unsigned how) {
  // An error of writing is told once for each descriptor: what this call has told, fsync does not tell again.
  if (::sync_file_range(file.get(), piece.offset, static_cast<off_t>(piece.bytes), how) == 0) return;
  const bool unknownHere = errno == ENOSYS || errno == ESPIPE || errno == EINVAL;
  if (!unknownHere && failed_ == 0) failed_ = errno;
}

void WriteBack::begin(const Descriptor& file, std::int64_t offset, std::int64_t bytes) {
  constexpr double kLong = 0.01;  // seconds
  onTheWay_.push_back({offset, bytes});
  bytes_ += bytes;
  store(file, onTheWay_.back(), SYNC_FILE_RANGE_WRITE);
  while (bytes_ > most_ && onTheWay_.size() > 1) {
    const Stopwatch watch;
    store(file, onTheWay_.front(), kUntilStored);
    most_ = watch.seconds() > kLong ? std::max(kLeast, most_ / 2) : std::min(kMost, most_ + kLeast / 4);
    bytes_ -= onTheWay_.front().bytes;
    onTheWay_.pop_front();
  }
}

void WriteBack::flush(const Descriptor& file, std::int64_t bytes, const std::filesystem::path& shown,
                      const Control& control) {
  // Piece by piece, because nothing stops an fsync once it has begun.
  for (std::int64_t at = 0; at < bytes; at += kLeast) {
    control.check();
    store(file, {at, std::min(kLeast, bytes - at)}, kUntilStored);
    if (failed_ != 0) throw cannotWriteErrno(shown, failed_);
  }
  control.check();
  if (::fsync(file.get()) != 0 && errno != EINVAL && errno != EROFS) throw cannotWriteErrno(shown, errno);
}

}  // namespace sscope::io
