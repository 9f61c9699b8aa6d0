#pragma once
// The temporary names under which files are written, and cleanup of those that killed processes left behind.

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace sscope {

// A file, or a folder, that was made under a temporary name, and which one it is of its disk.
struct TemporaryFile {
  std::filesystem::path path;
  dev_t device = 0;
  ino_t number = 0;
  bool folder = false;

  // Whether the file of this name is still the one that was made, or one that this user made in its place.
  [[nodiscard]] bool isThere() const;
};

// Makes an empty file ".part-PID-RANDOM-MARK-name" in `folder`, which nobody can have put there before: others may be
// allowed to write to the folder. It ends with the name (or the end of a long name), so that writers still see the
// extension. Empty, with errno, where it cannot be made.
[[nodiscard]] std::optional<TemporaryFile> makeTemporary(const std::filesystem::path& folder, const std::string& name,
                                                         mode_t mode);

// The same, of an empty folder.
[[nodiscard]] std::optional<TemporaryFile> makeTemporaryFolder(const std::filesystem::path& folder,
                                                               const std::string& name, mode_t mode);

// Removes a file, or a link itself; a folder only where its name is a temporary one, and then with all in it. Reports
// no error. Freeing what a large file takes of memory and disk takes a tenth of a second per GiB, and longer while its
// data are on their way to the disk.
void removeTemporary(const std::filesystem::path& file) noexcept;

// Removes temporary files and folders whose process of this machine has ended. A folder's listing is kept until as many
// files were asked for as it has entries, or for a minute, so that writing n files into one folder takes O(n) work, not
// O(n^2).
class Leftovers {
 public:
  // Removes what was left of the file `name` in `folder`. Does not throw when the file system refuses.
  void remove(const std::filesystem::path& folder, const std::string& name);
  // How many folder entries were read so far.
  [[nodiscard]] std::size_t entriesRead() const;

 private:
  struct Folder {
    std::chrono::steady_clock::time_point read;
    std::size_t entries = 0, asked = 0;                       // at the last listing; requests since then
    std::multimap<std::string, std::filesystem::path> files;  // by their final name
  };
  Folder& look(const std::filesystem::path& folder);

  mutable std::mutex mutex_;
  std::map<std::filesystem::path, Folder> folders_;
  std::size_t entriesRead_ = 0;
};

}  // namespace sscope
