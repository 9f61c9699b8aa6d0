#pragma once
// A file that takes its name when it is complete.

#include <filesystem>

namespace sscope {

class AtomicFile {
 public:
  // Chooses a temporary name beside `target` (beside the file behind a symbolic link), with its extension; makes no
  // file. Removes leftovers of killed processes. Throws as checkTarget (core/base/paths.h).
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();  // removes the temporary file, unless it was committed
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }
  // Renames it over the target; the mode and owner of a replaced file are kept. Throws Error(Io).
  void commit();

 private:
  std::filesystem::path target_, file_, temporary_;  // as named, behind links, and until it is complete
};

}  // namespace sscope
