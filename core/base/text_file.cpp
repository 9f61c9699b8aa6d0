#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/stopwatch.h"

namespace sscope {

namespace fs = std::filesystem;

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
