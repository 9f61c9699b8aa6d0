#include "core/base/paths.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
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
  static std::atomic<unsigned> counter{0};
  checkTarget(target);
  const fs::path file = behindLinks(target);
  // The name is kept at the end so that writers which look at the extension still see it (.nii.gz).
  const fs::path temporary = folderOf(file) / (".part-" + std::to_string(::getpid()) + "-" + std::to_string(counter++) +
                                               "-" + target.filename().string());
  std::error_code code;
  try {
    write(temporary);
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
