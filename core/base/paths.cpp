#include "core/base/paths.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>

#include "core/base/error.h"
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

constexpr std::string_view kPart = ".part-";

// Tells the processes of this boot and this container apart from all others, whose numbers mean nothing here: folders
// can be shared between machines.
const std::string& machineMark() {
  static const std::string mark = [] {
    std::string boot;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
    struct stat space {};
    if (boot.empty() || ::stat("/proc/self/ns/pid", &space) != 0) return std::string("0");
    std::uint64_t hash = 1469598103934665603ULL;  // FNV-1a
    for (const char c : boot + std::to_string(space.st_ino))
      hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return std::to_string(hash % 1000000007);
  }();
  return mark;
}

// ".part-PID-N-MARK-name": the name is kept at the end so that writers which look at the extension still see it.
std::string temporaryName(const std::string& name) {
  static std::atomic<unsigned> counter{0};
  return std::string(kPart) + std::to_string(::getpid()) + "-" + std::to_string(counter++) + "-" + machineMark() + "-" +
         name;
}

// The process that made this temporary file of `name`; 0 where it is none of ours, or of another machine.
pid_t makerOf(const std::string& file, const std::string& name) {
  const std::string end = "-" + machineMark() + "-" + name;
  if (machineMark() == "0" || !file.starts_with(kPart) || !file.ends_with(end) ||
      file.size() < kPart.size() + end.size())
    return 0;
  const std::string numbers = file.substr(kPart.size(), file.size() - kPart.size() - end.size());
  const std::size_t dash = numbers.find('-');
  const auto digits = [](const std::string& text) {
    return !text.empty() && text.size() < 10 &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  if (dash == std::string::npos || !digits(numbers.substr(0, dash)) || !digits(numbers.substr(dash + 1))) return 0;
  return static_cast<pid_t>(std::stol(numbers.substr(0, dash)));
}

// What a run that was killed while it wrote this file has left behind.
void removeLeftovers(const fs::path& folder, const std::string& name) {
  std::error_code code;
  for (auto entry = fs::directory_iterator(folder, code); !code && entry != fs::directory_iterator();
       entry.increment(code)) {
    const pid_t maker = makerOf(entry->path().filename().string(), name);
    if (maker <= 0 || ::kill(maker, 0) == 0 || errno != ESRCH) continue;
    struct stat status {};
    if (::lstat(entry->path().c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid())
      ::unlink(entry->path().c_str());
  }
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
  removeLeftovers(folderOf(file), name);
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

std::string readTextFile(const fs::path& path, std::size_t most) {
  std::error_code code;
  if (!fs::exists(path, code))
    throw Error(ErrorKind::NotFound, "cannot read " + path.string() + ": no such file", "check the name");
  if (fs::is_directory(path, code))
    throw Error(ErrorKind::Io, "cannot read " + path.string() + ": it is a folder", "name a file");
  std::ifstream file(path, std::ios::binary);
  const auto unreadable = [&] {
    return Error(ErrorKind::Io, "cannot read " + path.string() + " (" + std::strerror(errno) + ")",
                 "check its permissions");
  };
  if (!file) throw unreadable();
  // Its size is not asked for: pipes and devices have none.
  std::string text;
  std::array<char, 65536> piece{};
  while (file.read(piece.data(), piece.size()) || file.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > most)
      throw Error(ErrorKind::BadData,
                  "cannot read " + path.string() + ": it is longer than the " + std::to_string(most >> 20) +
                      " MiB that such a file may have",
                  "check that it is the right one");
  }
  if (file.bad()) throw unreadable();
  return text;
}

}  // namespace sscope
