#include "core/io/stream/plane_writer.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "core/io/file_error.h"

namespace sscope::io {

namespace {
constexpr unsigned kUntilStored = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
}

void writeAt(const Descriptor& file, std::int64_t offset, std::span<const std::byte> bytes,
             const std::filesystem::path& shown) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::pwrite(file.get(), bytes.data() + done, bytes.size() - done,
                               static_cast<off_t>(offset) + static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw cannotWriteErrno(shown, errno);
    done += static_cast<std::size_t>(n);
  }
}

PlaneWriter::PlaneWriter(const std::filesystem::path& file, FileLayout layout)
    : layout_(std::move(layout)), file_(::open(file.c_str(), O_WRONLY | O_CLOEXEC)) {
  if (!file_.valid()) throw cannotWriteErrno(layout_.path, errno);
}

void PlaneWriter::store(const Piece& piece, unsigned how) {
  // An error of writing is told once for each descriptor: what this call has told, fsync does not tell again.
  if (::sync_file_range(file_.get(), piece.offset, static_cast<off_t>(piece.bytes), how) == 0) return;
  const bool unknownHere = errno == ENOSYS || errno == ESPIPE || errno == EINVAL;
  if (!unknownHere && failed_ == 0) failed_ = errno;
}

void PlaneWriter::write(std::int64_t begin, std::span<const std::byte> voxels, const Control& control) {
  // So many pieces are on their way to the disk. What is begun now need not be waited for at the end; but a file that
  // is given up is gone only when all that is on its way has come there.
  constexpr std::size_t kOnTheWay = 4;
  placePlanes(
      layout_, begin, voxels,
      [this](std::int64_t offset, std::span<const std::byte> bytes) {
        writeAt(file_, offset, bytes, layout_.path);
        onTheWay_.push_back({offset, static_cast<std::int64_t>(bytes.size())});
        store(onTheWay_.back(), SYNC_FILE_RANGE_WRITE);
        if (onTheWay_.size() <= kOnTheWay) return;
        store(onTheWay_.front(), kUntilStored);
        onTheWay_.pop_front();
      },
      control);
}

void PlaneWriter::flush(const Control& control) {
  // Piece by piece, because nothing stops an fsync once it has begun.
  constexpr std::int64_t kPiece = std::int64_t{4} << 20;
  const std::int64_t all = layout_.fileBytes();
  for (std::int64_t at = 0; at < all; at += kPiece) {
    control.check();
    store({at, std::min(kPiece, all - at)}, kUntilStored);
    if (failed_ != 0) throw cannotWriteErrno(layout_.path, failed_);
  }
  control.check();
  if (::fsync(file_.get()) != 0 && errno != EINVAL && errno != EROFS) throw cannotWriteErrno(layout_.path, errno);
}

}  // namespace sscope::io
