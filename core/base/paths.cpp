#include "core/base/paths.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
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

void writeTextFile(const fs::path& target, std::string_view text) {
  writeAtomically(target, [&](const fs::path& temporary) {
    const int file = ::open(temporary.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    bool good = file >= 0;
    while (good && !text.empty()) {
      const ssize_t n = ::write(file, text.data(), text.size());
      good = n >= 0 || errno == EINTR;
      if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
    }
    const int code = errno;
    good = (file < 0 || ::close(file) == 0) && good;
    if (!good)
      throw Error(ErrorKind::Io, "cannot write " + target.string() + " (" + std::strerror(code) + ")",
                  "check the free space and the rights of the folder");
  });
}

}  // namespace sscope
