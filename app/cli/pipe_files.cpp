#include "app/cli/pipe_files.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "core/base/error.h"

namespace sscope::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;

// As writeAtomically() names them, so that a forced end removes them.
fs::path temporaryName(const std::string& end) {
  static int counter = 0;
  return fs::temp_directory_path() /
         (".part-" + std::to_string(::getpid()) + "-pipe" + std::to_string(counter++) + "-" + end);
}

Error failed(const std::string& what, int errnoValue) {
  return {ErrorKind::Io, what + " (" + std::strerror(errnoValue) + ")",
          "check the free space in " + fs::temp_directory_path().string() + ", or set TMPDIR to another place"};
}

// Waits for bytes, or room for them, and hears a stop request meanwhile.
void await(int descriptor, short event, const Control& control) {
  pollfd waiting{descriptor, event, 0};
  constexpr int kMilliseconds = 20;
  while (::poll(&waiting, 1, kMilliseconds) == 0) control.check();
  control.check();
}

void writeAll(int to, const char* data, std::size_t size, const std::string& what, const Control& control) {
  while (size > 0) {
    await(to, POLLOUT, control);
    const ssize_t n = ::write(to, data, std::min<std::size_t>(size, 1 << 16));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw failed(what, errno);
    data += n;
    size -= static_cast<std::size_t>(n);
  }
}

// Every byte from one to the other; their number.
std::size_t copy(int from, int to, const std::string& what, const Control& control) {
  std::vector<char> buffer(kChunk);
  std::size_t total = 0;
  for (;;) {
    await(from, POLLIN, control);
    const ssize_t n = ::read(from, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw failed(what, errno);
    if (n == 0) return total;
    writeAll(to, buffer.data(), static_cast<std::size_t>(n), what, control);
    total += static_cast<std::size_t>(n);
  }
}

// "-" and what may stand behind it: "-@t=3".
bool isPipe(const std::string& name) { return name == "-" || name.starts_with("-@"); }

class Open {
 public:
  Open(const fs::path& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {
    if (fd_ < 0) throw failed("cannot keep the data of a pipe in " + path.parent_path().string(), errno);
  }
  ~Open() { ::close(fd_); }
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

InputFile::InputFile(Program& program, const std::string& name) : path_(name) {
  if (!isPipe(name)) return;
  if (::isatty(STDIN_FILENO) == 1)
    throw Error(ErrorKind::Usage, "the standard input is a terminal", "send a file through a pipe, or name one");
  temporary_ = temporaryName("stdin");
  program.interrupt.writes(temporary_);
  try {
    const Open file(temporary_, O_WRONLY | O_CREAT | O_EXCL);
    if (copy(STDIN_FILENO, file.get(), "cannot keep the standard input", program.control()) == 0)
      throw Error(ErrorKind::BadData, "the standard input is empty", "check the program in front of the pipe");
  } catch (...) {
    ::unlink(temporary_.c_str());
    throw;
  }
  path_ = temporary_.string() + name.substr(1);
}

InputFile::~InputFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void InputFile::explain(const std::function<void()>& work) const {
  if (temporary_.empty()) return work();
  try {
    work();
  } catch (const Canceled&) {
    throw;
  } catch (const Error& error) {
    std::string text = error.what();
    const std::string name = temporary_.string();
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name))
      text.replace(at, name.size(), "the standard input");
    throw Error(error.kind(), text);
  }
}

OutputFile::OutputFile(Program& program, const std::string& name, const std::string& format)
    : program_(program), path_(name) {
  if (name != "-") return;
  if (::isatty(STDOUT_FILENO) == 1)
    throw Error(ErrorKind::Usage, "the standard output is a terminal", "send it into a pipe or a file, or name a file");
  const std::string extension = format.empty() ? "nrrd" : format;
  for (const char* pair : {"nhdr", "mhd", "raw", "json", "raw.json"})
    if (extension == pair)
      throw Error(ErrorKind::Usage, "the format " + extension + " takes two files, and a pipe is one",
                  "use nrrd, mha, nii, nii.gz, tif, vti, h5, png or jpg");
  // Whoever reads may have enough before the end: that is an error to clean up after, not a reason to die.
  ::signal(SIGPIPE, SIG_IGN);
  temporary_ = temporaryName("stdout." + extension);
  program.interrupt.writes(temporary_);
  path_ = temporary_.string();
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::deliver() const {
  if (temporary_.empty()) return;
  const Open file(temporary_, O_RDONLY);
  static_cast<void>(copy(file.get(), STDOUT_FILENO, "cannot write to the standard output", program_.control()));
}

}  // namespace sscope::cli
