#include "core/base/paths.h"

#include <unistd.h>

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
