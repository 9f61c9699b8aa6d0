#include "core/base/paths.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "core/base/error.h"
#include "core/base/stopwatch.h"

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

namespace {

// So long a pipe may stay without anybody who writes into it, and so long whoever does may say nothing.
constexpr double kSecondsAlone = 5, kSecondsSilent = 60;

Error cannotRead(ErrorKind kind, const fs::path& path, const std::string& why, const std::string& remedy) {
  return {kind, "cannot read " + path.string() + ": " + why, remedy};
}

Error cannotOpen(const fs::path& path, int errnoValue) {
  switch (errnoValue) {
    case ENOENT:
    case ENOTDIR: return cannotRead(ErrorKind::NotFound, path, "no such file", "check the name");
    case ENXIO: return cannotRead(ErrorKind::Io, path, "it is a socket or a device that is not there", "name a file");
    default:
      return {ErrorKind::Io, "cannot read " + path.string() + " (" + std::strerror(errnoValue) + ")",
              "check its name and permissions"};
  }
}

class Source {
 public:
  // Never waits: the opening of a pipe would, for a writer that may not come.
  explicit Source(const fs::path& path)
      : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    if (file_ < 0) throw cannotOpen(path, errno);
    struct stat status {};
    const bool known = ::fstat(file_, &status) == 0;
    pipe_ = known && S_ISFIFO(status.st_mode);
    if (!known || !S_ISDIR(status.st_mode)) return;
    ::close(file_);
    throw cannotRead(ErrorKind::Io, path, "it is a folder", "name a file");
  }
  ~Source() { ::close(file_); }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  // The number of bytes, 0 at the end.
  std::size_t read(char* to, std::size_t most) {
    for (const Stopwatch waiting;;) {
      const ssize_t n = ::read(file_, to, most);
      if (n > 0) begun_ = true;
      // A pipe into which nobody has written yet looks as if it were at its end.
      const bool alone = n == 0 && pipe_ && !begun_ && !leftAgain();
      if (n >= 0 && !alone) return static_cast<std::size_t>(n);
      if (n < 0 && errno != EAGAIN && errno != EINTR) throw cannotOpen(path_, errno);
      if (waiting.seconds() > (alone ? kSecondsAlone : kSecondsSilent))
        throw cannotRead(ErrorKind::Io, path_, alone ? "no program writes to this pipe" : "nothing comes out of it",
                         "check the program that should write it, or name a file");
      constexpr int kMilliseconds = 20;
      pollfd ready{file_, POLLIN, 0};
      static_cast<void>(alone ? ::poll(nullptr, 0, kMilliseconds) : ::poll(&ready, 1, kMilliseconds));
    }
  }

 private:
  // Whether somebody opened the pipe for writing and closed it, with nothing to say.
  [[nodiscard]] bool leftAgain() const {
    pollfd state{file_, POLLIN, 0};
    return ::poll(&state, 1, 0) > 0 && (state.revents & POLLHUP) != 0;
  }

  const fs::path& path_;
  int file_;
  bool pipe_ = false, begun_ = false;
};

}  // namespace

std::string readTextFile(const fs::path& path, std::size_t most) {
  Source source(path);
  // Its size is not asked for: pipes and devices have none.
  std::string text;
  std::array<char, 65536> piece{};
  while (const std::size_t n = source.read(piece.data(), piece.size())) {
    text.append(piece.data(), n);
    if (text.size() > most)
      throw cannotRead(ErrorKind::BadData, path,
                       "it is longer than the " + std::to_string(most >> 20) + " MiB that such a file may have",
                       "check that it is the right one");
  }
  return text;
}

}  // namespace sscope
