#include "core/io/planes/plane_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/io/base/file_error.h"

namespace sscope::io {

namespace {
constexpr unsigned kUntilStored = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
}

void WriteBack::store(const Descriptor& file, const Piece& piece, unsigned how) {
  // The system reports a write error once for each descriptor: fsync does not repeat what this call has reported.
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

namespace {

// FNV-1a.
class PlaneSum {
 public:
  void add(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) value_ = (value_ ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

constexpr std::int64_t kMostOthers = 8;  // besides the first one

// The first of the chosen planes from `plane` on; layout.planes() behind the last.
std::int64_t nextChosen(std::int64_t plane, std::int64_t planes) {
  if (plane >= planes) return planes;
  const std::int64_t every = std::max<std::int64_t>(1, (planes - 1) / kMostOthers);
  const std::int64_t next = (plane + every - 1) / every * every;
  return next < planes ? next : planes - 1;
}

void readAll(const Descriptor& file, std::int64_t offset, std::span<std::byte> out,
             const std::filesystem::path& shown) {
  for (std::size_t done = 0; done < out.size();) {
    const ssize_t got = ::pread(file.get(), out.data() + done, out.size() - done,
                                static_cast<off_t>(offset) + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw cannotWriteErrno(shown, errno);
    if (got == 0) return;  // missing bytes differ from those that were written
    done += static_cast<std::size_t>(got);
  }
}

}  // namespace

void WrittenPlanes::note(const FileLayout& layout, std::int64_t begin, std::span<const std::byte> voxels) {
  const auto planeBytes = static_cast<std::size_t>(layout.planeBytes());
  const std::int64_t planes = layout.planes(), end = begin + static_cast<std::int64_t>(voxels.size() / planeBytes);
  for (std::int64_t plane = nextChosen(begin, planes); plane < end; plane = nextChosen(plane + 1, planes)) {
    PlaneSum sum;
    placePlanes(layout, plane, voxels.subspan(static_cast<std::size_t>(plane - begin) * planeBytes, planeBytes),
                [&](std::int64_t, std::span<const std::byte> bytes) { sum.add(bytes); }, {});
    sums_[plane] = sum.value();
  }
}

void WrittenPlanes::check(const FileLayout& layout, const Descriptor& file, const Control& control) const {
  const std::vector<std::byte> none(static_cast<std::size_t>(layout.planeBytes()));
  std::vector<std::byte> read;
  for (const auto& [plane, written] : sums_) {
    PlaneSum sum;
    placePlanes(layout, plane, none,
                [&](std::int64_t offset, std::span<const std::byte> bytes) {
                  read.assign(bytes.size(), std::byte{0});
                  readAll(file, offset, read, layout.path);
                  sum.add(read);
                },
                {control.stop, {}});
    if (sum.value() != written)
      throw cannotWrite(ErrorKind::Io, layout.path,
                        "read again, plane " + std::to_string(plane) + " is not what was written",
                        "check the disk and the file system");
  }
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

PlaneWriter::PlaneWriter(const std::filesystem::path& file, FileLayout layout, bool store)
    : layout_(std::move(layout)), file_(::open(file.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC)), store_(store) {
  if (!file_.valid()) throw cannotWriteErrno(layout_.path, errno);
}

void PlaneWriter::write(std::int64_t begin, std::span<const std::byte> voxels, const Control& control) {
  placePlanes(
      layout_, begin, voxels,
      [this](std::int64_t offset, std::span<const std::byte> bytes) {
        writeAt(file_, offset, bytes, layout_.path);
        if (store_) writeBack_.begin(file_, offset, static_cast<std::int64_t>(bytes.size()));
      },
      control);
  if (store_) written_.note(layout_, begin, voxels);
}

}  // namespace sscope::io
