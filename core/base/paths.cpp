#include "core/base/paths.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
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
    // All users share this folder: the name holds the user's id, and makePrivateFolder refuses a folder of another
    // user.
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
                  "check the free space and the permissions of the folder");
  });
}

namespace {

constexpr mode_t kOwnerOnly = 0700, kWritableByOthers = 022;

Error notUsable(const fs::path& folder, const std::string& why) {
  return {ErrorKind::Io, "cannot use the cache folder " + folder.string() + ": " + why,
          "set XDG_CACHE_HOME to a folder that you own"};
}

// Whether other users may replace folders in `parent`: all may write, and the sticky bit does not keep them from
// renaming files of others.
bool isOpenToAll(const fs::path& parent) {
  struct stat status {};
  return ::stat(parent.c_str(), &status) == 0 && (status.st_mode & S_IWOTH) != 0 && (status.st_mode & S_ISVTX) == 0;
}

// Why the folder is not private; empty if it is. Follows only links of this user; `close` removes the permissions of
// others.
std::string whatIsWrong(const fs::path& folder, bool close) {
  struct stat status {};
  if (isOpenToAll(folder.parent_path())) return "every user may replace it";
  if (::lstat(folder.c_str(), &status) != 0) return std::strerror(errno);
  if (S_ISLNK(status.st_mode) && status.st_uid != ::geteuid()) return "it is a link that belongs to another user";
  const int place = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (place < 0) return std::strerror(errno);
  std::string wrong;
  if (::fstat(place, &status) != 0) {
    wrong = std::strerror(errno);
  } else if (status.st_uid != ::geteuid()) {
    wrong = "it belongs to another user";
  } else if ((status.st_mode & kWritableByOthers) != 0) {
    wrong = "other users may write to it";
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
                "set XDG_CACHE_HOME to a folder that you may write to");
  if (const std::string wrong = whatIsWrong(folder, true); !wrong.empty()) throw notUsable(folder, wrong);
}

bool isPrivateFolder(const fs::path& folder) { return whatIsWrong(folder, false).empty(); }

namespace {

// How long a pipe may have no writer, and how long its writer may send nothing.
constexpr double kSecondsAlone = 5, kSecondsSilent = 60;

Error cannotRead(ErrorKind kind, const fs::path& path, const std::string& why, const std::string& remedy) {
  return {kind, "cannot read " + path.string() + ": " + why, remedy};
}

Error cannotOpen(const fs::path& path, int errnoValue) {
  switch (errnoValue) {
    case ENOENT:
    case ENOTDIR: return cannotRead(ErrorKind::NotFound, path, "no such file", "check the name");
    case ENXIO: return cannotRead(ErrorKind::Io, path, "it is a socket or a missing device", "name a file");
    default:
      return {ErrorKind::Io, "cannot read " + path.string() + " (" + std::strerror(errnoValue) + ")",
              "check its name and permissions"};
  }
}

class Source {
 public:
  // O_NONBLOCK: opening a pipe would wait for a writer that may never come.
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

  // Returns the number of bytes, 0 at the end.
  std::size_t read(char* to, std::size_t most) {
    for (const Stopwatch waiting;;) {
      const ssize_t n = ::read(file_, to, most);
      if (n > 0) begun_ = true;
      // A pipe without a writer so far reads like one at its end.
      const bool alone = n == 0 && pipe_ && !begun_ && !closedUnwritten();
      if (n >= 0 && !alone) return static_cast<std::size_t>(n);
      if (n < 0 && errno != EAGAIN && errno != EINTR) throw cannotOpen(path_, errno);
      if (waiting.seconds() > (alone ? kSecondsAlone : kSecondsSilent))
        throw cannotRead(ErrorKind::Io, path_, alone ? "no program writes to this pipe" : "no data arrive",
                         "check the program that should write to it, or name a file");
      constexpr int kMilliseconds = 20;
      pollfd ready{file_, POLLIN, 0};
      static_cast<void>(alone ? ::poll(nullptr, 0, kMilliseconds) : ::poll(&ready, 1, kMilliseconds));
    }
  }

 private:
  // Whether a program opened the pipe for writing and closed it without writing.
  [[nodiscard]] bool closedUnwritten() const {
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
  // Pipes and devices have no size, so read until the end.
  std::string text;
  std::array<char, 65536> piece{};
  while (const std::size_t n = source.read(piece.data(), piece.size())) {
    text.append(piece.data(), n);
    if (text.size() > most)
      throw cannotRead(ErrorKind::BadData, path,
                       "it is larger than " + std::to_string(most >> 20) + " MiB, the limit for such a file",
                       "check that it is the right file");
  }
  return text;
}

bool namesStoreFolder(const fs::path& name) {
  std::string file = name.has_filename() ? name.filename().string() : name.parent_path().filename().string();
  std::ranges::transform(file, file.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return file.size() > 5 && file.ends_with(".zarr");
}

bool isStoreFolder(const fs::path& folder) {
  std::error_code code;
  return std::ranges::any_of(std::initializer_list<const char*>{"zarr.json", ".zgroup", ".zarray", ".zattrs"},
                             [&](const char* name) { return fs::is_regular_file(folder / name, code); });
}

namespace {

// Version 2 has a file for arrays; the description of version 3, a small file, contains the word.
bool isArrayFolder(const fs::path& folder) {
  std::error_code code;
  if (fs::is_regular_file(folder / ".zarray", code)) return true;
  std::ifstream stream(folder / "zarr.json", std::ios::binary);
  constexpr std::size_t kMost = 1 << 16;
  std::string text(kMost, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text.find("\"array\"") != std::string::npos;
}

}  // namespace

std::string besideImage(const fs::path& folder) {
  constexpr std::string_view kDescriptions[] = {"zarr.json", ".zgroup", ".zarray", ".zattrs", ".zmetadata"};
  const bool array = isArrayFolder(folder);
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    const std::string name = entry.path().filename().string();
    if (std::ranges::find(kDescriptions, name) != std::end(kDescriptions)) continue;
    // Chunks are "0", "0.1.2" or "c"; levels are arrays.
    const bool chunk = array && (name == "c" || name.find_first_not_of("0123456789.") == std::string::npos);
    const bool level = !array && entry.is_directory(code) && isArrayFolder(entry.path());
    if (!chunk && !level) return name;
  }
  return {};
}

}  // namespace sscope
