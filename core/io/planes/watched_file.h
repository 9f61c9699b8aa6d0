#pragma once
// Whether a file is still what it was.

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/stopwatch.h"

namespace sscope::io {

class WatchedFile {
 public:
  // `shown` is what the user named, for errors; `status` that of the file now.
  WatchedFile(std::string shown, std::filesystem::path file, const struct stat& status);
  // Throws Error(NotFound, BadData) if it was removed, replaced or written to.
  void requireUnchanged() const;
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

 private:
  std::string shown_;
  std::filesystem::path file_;
  dev_t device_;
  ino_t number_;
  std::int64_t bytes_;
  timespec written_;
};

// All files of an input.
class WatchedFiles {
 public:
  // Throws Error(NotFound, Io) for one that cannot be looked at.
  WatchedFiles(const std::string& shown, const std::vector<std::filesystem::path>& files);
  // Looks at them as often as is of use: at more than a few only some times a second.
  void requireUnchanged();

 private:
  std::vector<WatchedFile> files_;
  Stopwatch sinceLook_;
};

}  // namespace sscope::io
