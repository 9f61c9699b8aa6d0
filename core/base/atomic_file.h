#pragma once
// A file that takes its name when it is complete.

#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/base/leftovers.h"

namespace sscope {

class HeldNames;

class AtomicFile {
 public:
  enum class Kind {
    File,
    Folder,  // a store (core/base/store_folder.h): whoever looks sees the old one or the new one, never a part
  };
  // Makes an empty file under a temporary name beside `target` (beside the file behind a symbolic link), with its
  // extension; nobody but this user can read it where it is to replace a file. Removes leftovers of killed processes.
  // Throws as checkTarget (core/base/paths.h), which has the rule for links, too.
  explicit AtomicFile(std::filesystem::path target, Kind kind = Kind::File);
  ~AtomicFile();  // removes the temporary file, unless it was committed
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  [[nodiscard]] const std::filesystem::path& temporary() const { return made_.path; }
  // Renames it over the target, or leaves that to `held`, if any; the mode and owner of a replaced file are kept.
  // Throws Error(Io), also where someone has put another file in the place of the temporary one, and what
  // askBeforeNames() was given throws.
  void commit(HeldNames* held = nullptr);

 private:
  friend class HeldNames;
  // Throws Error(Io) where the temporary file is another one.
  void requireMade() const;
  // Gives what it will replace a second name, so that it can come back: nothing where there is none, or on disks that
  // know no such names.
  void keepFormer();
  void takeName();
  // Undoes it. False: what was replaced is lost.
  bool giveBack();
  void takeFolderName();

  std::filesystem::path target_, file_;  // as named, and behind links
  std::optional<struct stat> replaced_;  // what is there in the beginning
  TemporaryFile made_;                   // its name is empty once it is complete
  std::filesystem::path former_;         // the second name of what is replaced; of a folder the only one
};

// Complete files of one job that get their names together, when the last one is complete, so that none of a job that
// failed does.
class HeldNames {
 public:
  void add(AtomicFile file);
  // In the order in which they were added. Throws as AtomicFile::commit; then those that had their names already have
  // lost them, and what they replaced is there again. Only where the disk keeps no second names of files (FAT) is that
  // lost, and the error names those that have their new content. Other processes may see some of the names before the
  // others, and a process that is killed in between, or a machine, leaves it so.
  void commit();

 private:
  std::mutex mutex_;
  std::vector<AtomicFile> files_;
};

// What is asked before files get the names `targets`; it may throw Canceled, and none does. From then on they have
// them, so that their job must not end as canceled. One for the process, for programs that signals end; null: none.
void askBeforeNames(std::function<void(std::span<const std::filesystem::path> targets)> ask);

}  // namespace sscope
