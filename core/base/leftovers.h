#pragma once
// The temporary names under which files are written, and what killed processes left under such names.

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>

namespace sscope {

// ".part-PID-N-MARK-name", never the same twice: the name, or the end of a long one, is kept at the end so that writers
// which look at the extension still see it.
[[nodiscard]] std::string temporaryName(const std::string& name);

// Removes temporary files whose process of this machine has ended. A folder is read again after as many files of it
// were asked for as it had, or after a minute: the work of writing many files into one folder grows with their number,
// not with its square.
class Leftovers {
 public:
  // What was left of the file `name` in `folder`. Never throws for what is on the disk.
  void remove(const std::filesystem::path& folder, const std::string& name);
  // Entries of folders that were read so far.
  [[nodiscard]] std::size_t entriesRead() const;

 private:
  struct Folder {
    std::chrono::steady_clock::time_point read;
    std::size_t entries = 0, asked = 0;                       // then, and since then
    std::multimap<std::string, std::filesystem::path> files;  // by the name that they were to get
  };
  Folder& look(const std::filesystem::path& folder);

  mutable std::mutex mutex_;
  std::map<std::filesystem::path, Folder> folders_;
  std::size_t entriesRead_ = 0;
};

}  // namespace sscope
