#pragma once
// Files that are renamed to their final names when they are complete.

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
    Folder,  // a store (core/base/paths.h): readers see the old one or the new one, never a part of it
  };
  // Makes an empty file under a temporary name beside `target` (beside the file behind a symbolic link), with its
  // extension; if it will replace a file, only this user can read it. Removes leftovers of killed processes. Throws as
  // checkTarget (core/base/paths.h), which also has the rule for links.
  explicit AtomicFile(std::filesystem::path target, Kind kind = Kind::File);
  ~AtomicFile();  // removes the temporary file, unless it was committed
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  [[nodiscard]] const std::filesystem::path& temporary() const { return made_.path; }
  // Renames it over the target, or leaves that to `held`, if any; the mode and owner of a replaced file are kept.
  // Throws Error(Io), also if another file has replaced the temporary one, and what the function given to
  // askBeforeNames() throws.
  void commit(HeldNames* held = nullptr);

 private:
  friend class HeldNames;
  // Throws Error(Io) if another file has replaced the temporary one.
  void requireMade() const;
  // Makes a hard link to the file that will be replaced, so that it can be restored: none if there is no such file, or
  // on disks without hard links.
  void keepFormer();
  void takeName();
  // Undoes takeName(). False: the replaced file is lost.
  bool giveBack();
  void takeFolderName();

  std::filesystem::path target_, file_;  // as named, and with links followed
  std::optional<struct stat> replaced_;  // the file that the target named at first
  TemporaryFile made_;                   // its path is empty after the renaming
  std::filesystem::path former_;         // the link to the replaced file, or the replaced folder's new name
};

// The complete files of one job, renamed together when the last one is complete, so that a failed job leaves none.
class HeldNames {
 public:
  void add(AtomicFile file);
  // Renames them in the order in which they were added. Throws as AtomicFile::commit; then the renaming is undone and
  // the replaced files are restored. Only on disks without hard links (FAT) are replaced files lost, and the error
  // names them. Other processes may see some of the new names before the others; if the process is killed or the
  // machine crashes in between, only some files are renamed.
  void commit();

 private:
  std::mutex mutex_;
  std::vector<AtomicFile> files_;
};

// Sets the function that is called before files are renamed to `targets`; if it throws Canceled, none is renamed. After
// that call their job must not end as canceled. One function per process, for programs that signals end; null: none.
void askBeforeNames(std::function<void(std::span<const std::filesystem::path> targets)> ask);

}  // namespace sscope
