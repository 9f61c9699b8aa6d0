#include "core/base/private_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "core/base/error.h"

namespace sscope {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kOwnerOnly = 0700, kWritableByOthers = 022;

Error notUsable(const fs::path& folder, const std::string& why) {
  return {ErrorKind::Io, "cannot use the cache folder " + folder.string() + ": " + why,
          "set XDG_CACHE_HOME to a folder of yours"};
}

// Anybody may replace what lies there: everyone may write, and nothing keeps them from renaming what is not theirs.
bool isOpenToAll(const fs::path& parent) {
  struct stat status {};
  return ::stat(parent.c_str(), &status) == 0 && (status.st_mode & S_IWOTH) != 0 && (status.st_mode & S_ISVTX) == 0;
}

// Empty when nothing is. Follows links of this user only; `close` takes the rights of others away.
std::string whatIsWrong(const fs::path& folder, bool close) {
  struct stat status {};
  if (isOpenToAll(folder.parent_path())) return "everyone may replace it";
  if (::lstat(folder.c_str(), &status) != 0) return std::strerror(errno);
  if (S_ISLNK(status.st_mode) && status.st_uid != ::geteuid()) return "it is a link of another user's";
  const int place = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (place < 0) return std::strerror(errno);
  std::string wrong;
  if (::fstat(place, &status) != 0) {
    wrong = std::strerror(errno);
  } else if (status.st_uid != ::geteuid()) {
    wrong = "it belongs to another user";
  } else if ((status.st_mode & kWritableByOthers) != 0) {
    wrong = "others may write into it";
  } else if (close && (status.st_mode & 0777) != kOwnerOnly && ::fchmod(place, kOwnerOnly) != 0) {
    wrong = std::strerror(errno);
  }
  ::close(place);
  return wrong;
}

}  // namespace

void makePrivateFolder(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder.parent_path(), code);
  if (code || (::mkdir(folder.c_str(), kOwnerOnly) != 0 && errno != EEXIST))
    throw Error(ErrorKind::Io,
                "cannot create the cache folder " + folder.string() + " (" +
                    (code ? code.message() : std::string(std::strerror(errno))) + ")",
                "set XDG_CACHE_HOME to a folder you may write");
  if (const std::string wrong = whatIsWrong(folder, true); !wrong.empty()) throw notUsable(folder, wrong);
}

bool isPrivateFolder(const fs::path& folder) { return whatIsWrong(folder, false).empty(); }

}  // namespace sscope
