#include "core/io/planes/disk_room.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/io/base/file_error.h"

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

}  // namespace sscope::io
