#include "core/io/stream/file_sink.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <utility>

#include "core/io/file_error.h"
#include "core/io/native/chunked_file.h"

namespace sscope::io {

namespace {

Error diskTooSmall(const std::filesystem::path& shown, std::int64_t needed, double available) {
  return cannotWrite(
      ErrorKind::Io, shown,
      "it takes " + bytesText(static_cast<double>(needed)) + " and " + bytesText(available) + " are free on its disk",
      "free some space or choose another place");
}

// Of the file's disk, for this user; negative where the system does not say.
double freeBytes(const Descriptor& file) {
  struct statvfs disk {};
  if (::fstatvfs(file.get(), &disk) != 0) return -1;
  return static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
}

// The free bytes, which are enough; negative where the system does not say.
double requireFree(const Descriptor& file, std::int64_t bytes, const std::filesystem::path& shown) {
  const double available = freeBytes(file);
  if (available >= 0 && static_cast<double>(bytes) > available) throw diskTooSmall(shown, bytes, available);
  return available;
}

void lengthen(const Descriptor& file, std::int64_t bytes, const std::filesystem::path& shown) {
  if (::ftruncate(file.get(), static_cast<off_t>(bytes)) != 0) throw cannotWriteErrno(shown, errno);
}

bool liesInMemory(const Descriptor& file) {
  struct statfs kind {};
  return ::fstatfs(file.get(), &kind) == 0 && (kind.f_type == TMPFS_MAGIC || kind.f_type == RAMFS_MAGIC);
}

}  // namespace

void takeRoom(const Descriptor& file, std::int64_t bytes, const std::filesystem::path& shown, const Control& control) {
  constexpr std::int64_t kPiece = std::int64_t{32} << 20;
  const double available = requireFree(file, bytes, shown);
  int code = 0;
  for (std::int64_t at = 0; at < bytes && code == 0; at += kPiece) {
    control.check();
    do {
      code = ::fallocate(file.get(), 0, at, static_cast<off_t>(std::min(kPiece, bytes - at))) == 0 ? 0 : errno;
    } while (code == EINTR);
  }
  if (code == ENOSPC) throw diskTooSmall(shown, bytes, std::max(available, 0.0));
  if (code == EOPNOTSUPP || code == ENOSYS)
    lengthen(file, bytes, shown);
  else if (code != 0)
    throw cannotWriteErrno(shown, code);
}

void reserveRoom(const Descriptor& file, std::int64_t bytes, const std::filesystem::path& shown,
                 const Control& control) {
  if (!liesInMemory(file)) return takeRoom(file, bytes, shown, control);
  static_cast<void>(requireFree(file, bytes, shown));
  lengthen(file, bytes, shown);
}

namespace {

void writeText(const AtomicFile& file, const FileLayout& layout) {
  ChunkedWriter text(file.temporary(), layout.path);
  text.write(layout.headerText);
  text.finish();
}

// Those of a file whose provenance is not known to the end.
WriteOptions opening(WriteOptions options) {
  options.metadata = options.metadataFor({});
  return options;
}

}  // namespace

FileSink::FileSink(const std::filesystem::path& path, const VolumeOutline& volume, const WriteOptions& options,
                   const Control& control)
    : FileSink(layoutOf(path, volume, opening(options)), options, control) {}

FileSink::FileSink(FileLayout layout, WriteOptions options, const Control& control)
    : options_(std::move(options)), data_(layout.data), sum_(layout.volume.shape, layout.volume.type) {
  if (!layout.header.empty()) {
    header_.emplace(layout.header);
    writeText(*header_, layout);
  }
  const Descriptor file(::open(data_.temporary().c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file.valid()) throw cannotWriteErrno(layout.path, errno);
  reserveRoom(file, layout.fileBytes(), layout.path, control);
  writeAt(file, 0, layout.before, layout.path);
  writeAt(file, layout.voxelOffset() + layout.volume.bytes(), layout.after, layout.path);
  writer_.emplace(data_.temporary(), std::move(layout), options_.untilStored);
}

void FileSink::write(std::int64_t begin, std::span<const std::byte> voxels, const Control& control) {
  if (options_.provenance) sum_.add(begin, voxels);
  writer_->write(begin, voxels, control);
}

void FileSink::check(const Control& control) { writer_->check(control); }

// What is in front of the voxels, behind and beside them, once all is known.
void FileSink::complete() {
  WriteOptions last = options_;
  last.metadata = options_.metadataFor(sum_.text());
  const FileLayout now = layoutOf(layout().path, layout().volume, last);
  if (now.before.size() != layout().before.size() || now.after.size() != layout().after.size())
    throw std::logic_error("a header that changes its length");
  const Descriptor file(::open(data_.temporary().c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file.valid()) throw cannotWriteErrno(layout().path, errno);
  writeAt(file, 0, now.before, now.path);
  writeAt(file, now.voxelOffset() + now.volume.bytes(), now.after, now.path);
  if (header_) writeText(*header_, now);
}

void FileSink::finish(const Control& control) {
  control.check();
  if (options_.provenance) complete();
  if (options_.untilStored) writer_->flush(control);
  HeldNames both;
  HeldNames* const held = options_.names == nullptr && header_ ? &both : options_.names;
  data_.commit(held);
  if (header_) header_->commit(held);
  both.commit();
}

}  // namespace sscope::io
