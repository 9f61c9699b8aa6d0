#include "core/base/atomic_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/leftovers.h"
#include "core/base/paths.h"

namespace sscope {

namespace fs = std::filesystem;

namespace {

fs::path folderOf(const fs::path& target) { return target.has_parent_path() ? target.parent_path() : fs::path("."); }

Error cannotWrite(const fs::path& target, const std::string& why, const std::string& remedy) {
  return {ErrorKind::Io, "cannot write " + target.string() + ": " + why, remedy};
}

Error cannotWrite(const fs::path& target, const fs::filesystem_error& error) {
  return {ErrorKind::Io, "cannot write " + target.string() + " (" + error.code().message() + ")",
          "check the free space and the permissions of the folder"};
}

// The file behind a symbolic link: renaming over the link would remove the link (/dev/stdout, for example). A dangling
// link is refused: it may have been meant for another disk or for a file of another user.
fs::path behindLinks(const fs::path& target) {
  std::error_code code;
  if (!fs::is_symlink(target, code)) return target;
  if (!fs::exists(target, code))
    throw cannotWrite(target,
                      "it is a symbolic link to " + fs::read_symlink(target, code).string() + ", which does not exist",
                      "remove the link, or create its target");
  fs::path file = fs::canonical(target, code);
  if (code) throw cannotWrite(target, "it is not a regular file", "choose another name");
  return file;
}

using Ask = std::function<void(std::span<const fs::path>)>;
struct Asked {
  std::mutex mutex;
  Ask ask;
};
Asked& asked() {
  static Asked one;
  return one;
}

void askFor(std::span<const fs::path> targets) {
  const std::lock_guard lock(asked().mutex);
  if (asked().ask) asked().ask(targets);
}

// For all files that this process writes.
Leftovers& leftovers() {
  static Leftovers all;
  return all;
}

// The new file gets the mode of the replaced one and, if that is allowed, its owner and group.
void takeAttributes(const fs::path& temporary, const struct stat& from) {
  struct stat made {};
  if (::stat(temporary.c_str(), &made) != 0) return;
  bool group = made.st_gid == from.st_gid;
  if (made.st_uid != from.st_uid || !group)
    group = ::chown(temporary.c_str(), from.st_uid, from.st_gid) == 0 ||
            ::chown(temporary.c_str(), static_cast<uid_t>(-1), from.st_gid) == 0 || group;
  mode_t mode = from.st_mode & 0777;
  // Another group must not get more permissions than all users have.
  if (!group) mode = (mode & ~static_cast<mode_t>(070)) | ((mode & 07) << 3);
  static_cast<void>(!::chmod(temporary.c_str(), mode));
}

}  // namespace

void checkTarget(const fs::path& target) {
  if (target.empty()) throw Error(ErrorKind::Usage, "the file to write has no name", "give it a name");
  struct stat status {};
  if (::lstat(target.c_str(), &status) != 0 && errno == ENAMETOOLONG)
    throw cannotWrite(target, "its name is too long", "choose a shorter name");
  const fs::path folder = folderOf(behindLinks(target));
  std::error_code code;
  if (!fs::is_directory(folder, code))
    throw cannotWrite(target, "the folder " + folder.string() + " does not exist",
                      "create it or choose another folder");
  if (::access(folder.c_str(), W_OK) != 0)
    throw cannotWrite(target, "the folder is not writable", "choose another folder");
  if (!fs::exists(target, code)) return;
  if (::access(target.c_str(), W_OK) != 0) throw cannotWrite(target, "the file is read-only", "choose another name");
  const bool isFolder = fs::is_directory(target, code);
  if (namesStoreFolder(target)) {
    if (isFolder && isStoreFolder(target)) {
      const std::string other = besideImage(target);
      if (other.empty()) return;
      throw cannotWrite(target, "that would remove " + other + ", which is also in this store",
                        "choose another name, or remove the store first");
    }
    throw cannotWrite(target,
                      isFolder ? "it is a folder but not a Zarr store" : "it is a file, and a Zarr store is a folder",
                      "choose another name");
  }
  if (isFolder) throw cannotWrite(target, "it is a folder", "choose another name");
  // Renaming a file over a device such as /dev/null would remove the device.
  if (!fs::is_regular_file(target, code)) throw cannotWrite(target, "it is not a regular file", "choose another name");
}

AtomicFile::AtomicFile(fs::path target, Kind kind) : target_(std::move(target)) {
  checkTarget(target_);
  file_ = behindLinks(target_);
  struct stat status {};
  if (::stat(file_.c_str(), &status) == 0) replaced_ = status;
  const std::string name = target_.filename().string();
  leftovers().remove(folderOf(file_), name);
  constexpr mode_t kPrivate = 0600, kUsual = 0666, kPrivateFolder = 0700, kUsualFolder = 0777;
  auto made = kind == Kind::Folder
                  ? makeTemporaryFolder(folderOf(file_), name, replaced_ ? kPrivateFolder : kUsualFolder)
                  : makeTemporary(folderOf(file_), name, replaced_ ? kPrivate : kUsual);
  if (!made) throw cannotWrite(target_, std::strerror(errno), "check the free space and the permissions of the folder");
  made_ = std::move(*made);
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : target_(std::move(other.target_)),
      file_(std::move(other.file_)),
      replaced_(other.replaced_),
      made_(std::move(other.made_)),
      former_(std::move(other.former_)) {
  other.made_.path.clear();
  other.former_.clear();
}

AtomicFile::~AtomicFile() {
  for (const fs::path& file : {made_.path, former_})
    if (!file.empty()) removeTemporary(file);
}

void AtomicFile::commit(HeldNames* held) {
  if (held != nullptr) return held->add(std::move(*this));
  requireMade();
  askFor({&target_, 1});
  takeName();
}

void AtomicFile::requireMade() const {
  if (!made_.isThere())
    throw cannotWrite(target_, "another file has replaced the temporary file",
                      "choose a folder that only you can write to");
}

void AtomicFile::keepFormer() {
  if (::stat(file_.c_str(), &replaced_.emplace()) != 0) replaced_.reset();
  if (!replaced_ || made_.folder) return;  // a folder is exchanged with the former one
  // link() fails if the name exists.
  const auto made = makeTemporary(folderOf(file_), target_.filename().string(), 0600);
  if (!made) return;
  ::unlink(made->path.c_str());
  if (::link(file_.c_str(), made->path.c_str()) == 0) former_ = made->path;
}

void AtomicFile::takeName() try {
  requireMade();
  struct stat replaced {};
  if (::stat(file_.c_str(), &replaced) == 0) replaced_ = replaced;
  if (replaced_) takeAttributes(made_.path, *replaced_);
  if (made_.folder) {
    takeFolderName();
  } else {
    fs::rename(made_.path, file_);
  }
  made_.path.clear();
} catch (const fs::filesystem_error& error) {
  throw cannotWrite(target_, error);
}

void AtomicFile::takeFolderName() {
  struct stat status {};
  if (::lstat(file_.c_str(), &status) != 0) return fs::rename(made_.path, file_);
  checkTarget(target_);  // another program may have changed it
  if (::renameat2(AT_FDCWD, made_.path.c_str(), AT_FDCWD, file_.c_str(), RENAME_EXCHANGE) == 0) {
    former_ = made_.path;
    return;
  }
  if (errno != EINVAL && errno != ENOSYS)
    throw cannotWrite(target_, std::strerror(errno), "check the permissions of the folder");
  // On disks that cannot exchange names the target is missing for a moment.
  const auto aside = makeTemporaryFolder(folderOf(file_), target_.filename().string(), 0700);
  if (!aside) throw cannotWrite(target_, std::strerror(errno), "check the permissions of the folder");
  std::error_code code, ignored;
  fs::rename(file_, aside->path, code);
  if (!code) fs::rename(made_.path, file_, code);
  if (!code) {
    former_ = aside->path;
    return;
  }
  if (!fs::exists(file_, ignored)) fs::rename(aside->path, file_, ignored);
  fs::remove(aside->path, ignored);  // removes it only if it is empty
  throw cannotWrite(target_, code.message(), "check the permissions of the folder");
}

bool AtomicFile::giveBack() {
  if (made_.folder) {
    std::error_code code;
    const auto made = makeTemporaryFolder(folderOf(file_), target_.filename().string(), 0700);
    if (!made) return false;
    fs::rename(file_, made->path, code);
    if (code) return false;
    made_.path = made->path;  // to be removed
    if (!former_.empty()) fs::rename(former_, file_, code);
    if (!code) former_.clear();
    return !code;
  }
  if (!former_.empty()) {
    if (::rename(former_.c_str(), file_.c_str()) != 0) return false;
    former_.clear();
    return true;
  }
  return !replaced_ && ::unlink(file_.c_str()) == 0;
}

void HeldNames::add(AtomicFile file) {
  const std::lock_guard lock(mutex_);
  files_.push_back(std::move(file));
}

void HeldNames::commit() {
  const std::lock_guard lock(mutex_);
  if (files_.empty()) return;
  std::vector<fs::path> targets;
  for (const AtomicFile& file : files_) {
    file.requireMade();
    targets.push_back(file.target_);
  }
  askFor(targets);
  std::size_t named = 0;
  try {
    for (; named < files_.size(); ++named) {
      if (files_.size() > 1) files_[named].keepFormer();
      files_[named].takeName();
    }
  } catch (const Error& error) {
    std::string lost;
    while (named-- > 0)
      if (!files_[named].giveBack()) lost += (lost.empty() ? "" : ", ") + targets[named].string();
    if (lost.empty()) throw;
    throw Error(error.kind(), std::string(error.what()) + "; it had already replaced " + lost);
  }
  files_.clear();
}

void askBeforeNames(Ask ask) {
  const std::lock_guard lock(asked().mutex);
  asked().ask = std::move(ask);
}

void writeAtomically(const fs::path& target, const std::function<void(const fs::path&)>& write, HeldNames* held) {
  AtomicFile file(target);
  try {
    write(file.temporary());
  } catch (const fs::filesystem_error& error) {
    throw cannotWrite(target, error);
  }
  file.commit(held);
}

}  // namespace sscope
