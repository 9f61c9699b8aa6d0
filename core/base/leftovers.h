#pragma once
// The temporary names under which files are written, and cleanup of those that killed processes left behind.

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>

namespace sscope {

// ".part-PID-N-MARK-name", never the same twice. It ends with the name (or the end of a long name), so that writers
// still see the extension.
[[nodiscard]] std::string temporaryName(const std::string& name);

// Removes temporary files whose process of this machine has ended. A folder's listing is kept until as many files were
// asked for as it has entries, or for a minute, so that writing n files into one folder takes O(n) work, not O(n^2).
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
