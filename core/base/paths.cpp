#include "core/base/paths.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

#include "core/base/error.h"
#include "core/base/leftovers.h"
#include "core/base/private_folder.h"

namespace sscope {

namespace fs = std::filesystem;

fs::path cacheDirectory() {
  fs::path dir;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg == '/') {
    dir = fs::path(xdg) / "stencilscope";
  } else if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    dir = fs::path(home) / ".cache" / "stencilscope";
  } else {
    // Shared with everyone: a name of this user's own, and not used unless the folder is.
    std::error_code code;
    const fs::path shared = fs::temp_directory_path(code);
    dir = (code ? fs::path("/tmp") : shared) / ("stencilscope-" + std::to_string(::geteuid()));
  }
  makePrivateFolder(dir);
  return dir;
}

namespace {

fs::path folderOf(const fs::path& target) { return target.has_parent_path() ? target.parent_path() : fs::path("."); }

Error cannotWrite(const fs::path& target, const std::string& why, const std::string& remedy) {
  return {ErrorKind::Io, "cannot write " + target.string() + ": " + why, remedy};
}

// The file that a symbolic link stands for: renaming over the link would take the link away (/dev/stdout, say).
fs::path behindLinks(const fs::path& target) {
  std::error_code code;
  if (!fs::is_symlink(target, code) || !fs::exists(target, code)) return target;
  fs::path file = fs::canonical(target, code);
  if (code) throw cannotWrite(target, "it is not an ordinary file", "choose another name");
  return file;
}

// Of everything that this process writes.
Leftovers& leftovers() {
  static Leftovers all;
  return all;
}

// The file that takes another one's place gets its mode and, where that is allowed, its owner and group.
void takeAttributes(const fs::path& temporary, const struct stat& from) {
  struct stat made {};
  if (::stat(temporary.c_str(), &made) != 0) return;
  bool group = made.st_gid == from.st_gid;
  if (made.st_uid != from.st_uid || !group)
    group = ::chown(temporary.c_str(), from.st_uid, from.st_gid) == 0 ||
            ::chown(temporary.c_str(), static_cast<uid_t>(-1), from.st_gid) == 0 || group;
  mode_t mode = from.st_mode & 0777;
  // Another group must not see more than everybody does.
  if (!group) mode = (mode & ~static_cast<mode_t>(070)) | ((mode & 07) << 3);
  static_cast<void>(!::chmod(temporary.c_str(), mode));
}

}  // namespace

void checkTarget(const fs::path& target) {
  if (target.empty()) throw Error(ErrorKind::Usage, "the file to write has no name", "give one");
  struct stat status {};
  if (::lstat(target.c_str(), &status) != 0 && errno == ENAMETOOLONG)
    throw cannotWrite(target, "its name is too long", "choose a shorter one");
  const fs::path folder = folderOf(behindLinks(target));
  std::error_code code;
  if (!fs::is_directory(folder, code))
    throw cannotWrite(target, "the folder " + folder.string() + " does not exist", "create it or choose another place");
  if (::access(folder.c_str(), W_OK) != 0)
    throw cannotWrite(target, "the folder is not writable", "choose another place");
  if (!fs::exists(target, code)) return;
  if (::access(target.c_str(), W_OK) != 0) throw cannotWrite(target, "the file is read-only", "choose another name");
  if (fs::is_directory(target, code)) throw cannotWrite(target, "it is a folder", "choose another name");
  // Renaming a file over a device such as /dev/null would take the device away.
  if (!fs::is_regular_file(target, code))
    throw cannotWrite(target, "it is not an ordinary file", "choose another name");
}

void writeAtomically(const fs::path& target, const std::function<void(const fs::path&)>& write) {
  checkTarget(target);
  const fs::path file = behindLinks(target);
  const std::string name = target.filename().string();
  leftovers().remove(folderOf(file), name);
  const fs::path temporary = folderOf(file) / temporaryName(name);
  std::error_code code;
  try {
    write(temporary);
    struct stat replaced {};
    if (::stat(file.c_str(), &replaced) == 0) takeAttributes(temporary, replaced);
    fs::rename(temporary, file);
  } catch (const fs::filesystem_error& error) {
    fs::remove(temporary, code);
    throw Error(ErrorKind::Io, "cannot write " + target.string() + " (" + error.code().message() + ")",
                "check the free space and the rights of the folder");
  } catch (...) {
    fs::remove(temporary, code);
    throw;
  }
}

void writeTextFile(const fs::path& target, const std::string& text) {
  writeAtomically(target, [&](const fs::path& temporary) {
    std::ofstream file(temporary, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file)
      throw Error(ErrorKind::Io, "cannot write " + target.string() + " (" + std::strerror(errno) + ")",
                  "check the free space and the rights of the folder");
  });
}

}  // namespace sscope
