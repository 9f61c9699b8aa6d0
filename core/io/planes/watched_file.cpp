#include "core/io/planes/watched_file.h"

#include <cerrno>
#include <utility>

#include "core/io/base/file_error.h"

namespace sscope::io {

WatchedFile::WatchedFile(std::string shown, std::filesystem::path file, const struct stat& status)
    : shown_(std::move(shown)),
      file_(std::move(file)),
      device_(status.st_dev),
      number_(status.st_ino),
      bytes_(status.st_size),
      written_(status.st_mtim) {}

void WatchedFile::requireUnchanged() const {
  const std::string it = shown_ == file_ ? "it" : file_.filename().string();
  struct stat now {};
  if (::stat(file_.c_str(), &now) != 0)
    throw errno == ENOENT
        ? cannotRead(ErrorKind::NotFound, shown_, it + " was removed while it was read", "put it back")
        : cannotReadErrno(shown_, errno);
  const bool sameTime = now.st_mtim.tv_sec == written_.tv_sec && now.st_mtim.tv_nsec == written_.tv_nsec;
  const char* what = now.st_dev != device_ || now.st_ino != number_ ? "was replaced"
                     : now.st_size < bytes_                         ? "became shorter"
                     : now.st_size > bytes_                         ? "grew"
                     : !sameTime                                    ? "was written to"
                                                                    : nullptr;
  if (what != nullptr)
    throw cannotRead(ErrorKind::BadData, shown_, it + " " + what + " while it was read",
                     "wait until it is complete and start again");
}

WatchedFiles::WatchedFiles(const std::string& shown, const std::vector<std::filesystem::path>& files) {
  for (const auto& file : files) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) throw cannotReadErrno(shown, errno);
    files_.emplace_back(shown, file, status);
  }
}

void WatchedFiles::requireUnchanged() {
  constexpr std::size_t kFew = 16;
  constexpr double kSeconds = 0.25;
  if (files_.size() > kFew && sinceLook_.seconds() < kSeconds) return;
  sinceLook_.restart();
  for (const WatchedFile& file : files_) file.requireUnchanged();
}

}  // namespace sscope::io
