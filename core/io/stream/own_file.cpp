#include "core/io/stream/own_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "core/io/any/file_sets.h"

namespace sscope::io {

namespace fs = std::filesystem;

bool belongsTo(const std::string& name, const fs::path& file) {
  if (name == file) return true;
  const auto files = filesRead(name);
  if (std::find(files.begin(), files.end(), file) == files.end()) return false;
  std::error_code code;
  const auto folder = fs::canonical(fs::path(name).has_parent_path() ? fs::path(name).parent_path() : ".", code);
  const auto real = code ? fs::path() : fs::canonical(file, code);
  return !code && std::mismatch(folder.begin(), folder.end(), real.begin(), real.end()).first == folder.end();
}

Descriptor openRegular(const fs::path& file) {
  Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!opened.valid() || ::fstat(opened.get(), &status) != 0) return {};
  if (S_ISREG(status.st_mode)) return opened;
  errno = EINVAL;
  return {};
}

}  // namespace sscope::io
