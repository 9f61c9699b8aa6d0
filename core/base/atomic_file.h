#pragma once
// A file that takes its name when it is complete.

#include <sys/stat.h>

#include <filesystem>
#include <mutex>
#include <optional>
#include <vector>

#include "core/base/leftovers.h"

namespace sscope {

class HeldNames;

class AtomicFile {
 public:
  // Makes an empty file under a temporary name beside `target` (beside the file behind a symbolic link), with its
  // extension; nobody but this user can read it where it is to replace a file. Removes leftovers of killed processes.
  // Throws as checkTarget (core/base/paths.h).
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();  // removes the temporary file, unless it was committed
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  [[nodiscard]] const std::filesystem::path& temporary() const { return made_.path; }
  // Renames it over the target, or leaves that to `held`, if any; the mode and owner of a replaced file are kept.
  // Throws Error(Io), also where someone has put another file in the place of the temporary one.
  void commit(HeldNames* held = nullptr);

 private:
  std::filesystem::path target_, file_;  // as named, and behind links
  std::optional<struct stat> replaced_;  // what is there in the beginning
  TemporaryFile made_;                   // its name is empty once it is complete
};

// Complete files of one job that get their names together, when the last one is complete, so that none of a job that
// failed does.
class HeldNames {
 public:
  void add(AtomicFile file);
  // In the order in which they were added. Throws as AtomicFile::commit.
  void commit();

 private:
  std::mutex mutex_;
  std::vector<AtomicFile> files_;
};

}  // namespace sscope
