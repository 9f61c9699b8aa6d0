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

// A file or folder that was made under a temporary name, identified by device and inode.
struct TemporaryFile {
  std::filesystem::path path;
  dev_t device = 0;
  ino_t number = 0;
  bool folder = false;

  // Whether the file of this name is still the one that was made, or one of this user in its place.
  [[nodiscard]] bool isThere() const;
};

// Makes an empty file ".part-PID-RANDOM-MARK-name" in `folder`. It never opens an existing file, because other users
// may be able to write to the folder. It ends with the name (or the end of a long name), so that writers still see the
// extension. Empty, with errno, if it cannot be made.
[[nodiscard]] std::optional<TemporaryFile> makeTemporary(const std::filesystem::path& folder, const std::string& name,
                                                         mode_t mode);

// The same for an empty folder.
[[nodiscard]] std::optional<TemporaryFile> makeTemporaryFolder(const std::filesystem::path& folder,
                                                               const std::string& name, mode_t mode);

// Removes a file, or a link itself; a folder with its contents, but only if it has a temporary name. Reports no error.
// Freeing the memory and disk space of a large file takes a tenth of a second per GiB, and longer while its data are
// being written to the disk.
void removeTemporary(const std::filesystem::path& file) noexcept;

// Removes temporary files and folders of ended processes of this machine. A folder's listing is kept until remove() was
// called as often as it has entries, or for a minute, so that writing n files into one folder takes O(n) work, not
// O(n^2).
class Leftovers {
 public:
  // Removes the leftovers of the file `name` in `folder`. Does not throw when the file system refuses.
  void remove(const std::filesystem::path& folder, const std::string& name);
  // The number of folder entries read so far.
  [[nodiscard]] std::size_t entriesRead() const;

 private:
  struct Folder {
    std::chrono::steady_clock::time_point read;
    std::size_t entries = 0, asked = 0;                       // at the last listing; remove() calls since then
    std::multimap<std::string, std::filesystem::path> files;  // by their final name
  };
  Folder& look(const std::filesystem::path& folder);

  mutable std::mutex mutex_;
  std::map<std::filesystem::path, Folder> folders_;
  std::size_t entriesRead_ = 0;
};

}  // namespace sscope
