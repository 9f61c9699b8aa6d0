#include "app/cli/pipe_files.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <vector>

#include "core/base/error.h"
#include "core/base/leftovers.h"
#include "core/base/memory.h"
#include "core/base/paths.h"
#include "core/base/words.h"
#include "core/io/base/file_error.h"
#include "core/io/base/sniff.h"
#include "core/io/volume_io.h"

namespace sscope::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kStandardInput = "the standard input";
constexpr std::size_t kChunk = std::size_t{1} << 20;

fs::path temporaryFolder() {
  std::error_code code;
  fs::path folder = fs::temp_directory_path(code);
  if (code)
    throw Error(ErrorKind::Io, "cannot store the data of a pipe: there is no folder for temporary files",
                "set TMPDIR to a folder");
  return folder;
}

std::string makeRoom() {
  return "check the free space in " + temporaryFolder().string() + ", or set TMPDIR to another place";
}

// One end of a copy, and its error message.
struct End {
  int descriptor;
  std::string failure, remedy;
  [[nodiscard]] Error error() const { return {ErrorKind::Io, failure + " (" + std::strerror(errno) + ")", remedy}; }
};

// An empty file that only this user can read, with a name like those of writeAtomically(), so that a forced end or a
// later run removes it.
fs::path temporaryFile(const std::string& end) {
  static Leftovers leftovers;
  const fs::path folder = temporaryFolder();
  leftovers.remove(folder, end);
  constexpr mode_t kPrivate = 0600;
  const auto made = makeTemporary(folder, end, kPrivate);
  if (!made) throw End{-1, "cannot store the data of a pipe in " + folder.string(), makeRoom()}.error();
  return made->path;
}

// Waits for bytes, or for space for them, and checks for a stop request.
void await(int descriptor, short event, const Control& control) {
  pollfd waiting{descriptor, event, 0};
  constexpr int kMilliseconds = 20;
  while (::poll(&waiting, 1, kMilliseconds) == 0) control.check();
  control.check();
}

bool again(int errnoValue) { return errnoValue == EINTR || errnoValue == EAGAIN; }

void writeAll(const End& to, const char* data, std::size_t size, const Control& control) {
  constexpr std::size_t kPiece = 4096;  // bytes that a writable pipe accepts without blocking
  struct stat status {};
  const bool file = ::fstat(to.descriptor, &status) == 0 && S_ISREG(status.st_mode);
  while (size > 0) {
    await(to.descriptor, POLLOUT, control);
    const ssize_t n = ::write(to.descriptor, data, file ? size : std::min(size, kPiece));
    if (n < 0 && again(errno)) continue;
    if (n < 0) throw to.error();
    data += n;
    size -= static_cast<std::size_t>(n);
  }
}

// Copies all bytes and returns their number. `written` is called with the number so far after each piece.
std::size_t copy(const End& from, const End& to, const Control& control,
                 const std::function<void(std::size_t total)>& written = {}) {
  std::vector<char> buffer(kChunk);
  std::size_t total = 0;
  for (;;) {
    await(from.descriptor, POLLIN, control);
    const ssize_t n = ::read(from.descriptor, buffer.data(), buffer.size());
    if (n < 0 && again(errno)) continue;
    if (n < 0) throw from.error();
    if (n == 0) return total;
    writeAll(to, buffer.data(), static_cast<std::size_t>(n), control);
    total += static_cast<std::size_t>(n);
    if (written) written(total);
  }
}

// Refuses unreadable data early: an unknown format, by the first bytes, or more than memory can hold.
class PipeGuard {
 public:
  explicit PipeGuard(fs::path kept) : kept_(std::move(kept)) {}
  void operator()(std::size_t total) {
    if (!known_ && total >= kEnough) {
      explained(kept_.string(), kStandardInput, [&] { static_cast<void>(io::sniffFormat(kept_.string())); });
      known_ = true;
    }
    if (most_ > 0 && total > static_cast<std::size_t>(most_))
      throw Error(ErrorKind::Memory,
                  "the standard input holds more than the " + bytesText(static_cast<double>(most_)) +
                      " of memory that are free",
                  "write it to a file, and name that");
  }

 private:
  static constexpr std::size_t kEnough = std::size_t{1} << 16;  // also for gzip-compressed data
  fs::path kept_;
  std::int64_t most_ = availableMemory();
  bool known_ = false;
};

class Open {
 public:
  Open(const fs::path& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC)) {
    if (fd_ < 0) throw End{-1, "cannot store the data of a pipe in " + path.parent_path().string(), makeRoom()}.error();
  }
  ~Open() { ::close(fd_); }
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

bool isPipe(const std::string& name) {
  for (const std::string input : {"-", "/dev/stdin"})
    if (name == input || name.starts_with(input + "@")) return true;
  return false;
}

void refusePipe(const std::string& name, const std::string& command) {
  if (isPipe(name)) throw Error(ErrorKind::Usage, command + " does not read the standard input", "name a file");
}

void explained(const std::string& name, const std::string& words, const std::function<void()>& work) {
  if (name.empty()) return work();
  try {
    work();
  } catch (const Canceled&) {
    throw;
  } catch (const Error& error) {
    std::string text = error.what();
    const auto replace = [&](const std::string& from, const std::string& to) {
      for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    };
    replace(name, words);
    // Remedies name the file without its folder.
    replace(fs::path(name).filename().string(), words == kStandardInput ? "FILE" : fs::path(words).filename().string());
    throw Error(error.kind(), text);
  }
}

InputFile::InputFile(Program& program, const std::string& name) : path_(name) {
  if (!isPipe(name)) return;
  if (::isatty(STDIN_FILENO) == 1)
    throw Error(ErrorKind::Usage, "the standard input is a terminal", "send a file through a pipe, or name a file");
  temporary_ = temporaryFile("stdin");
  program.interrupt.writesTemporary(temporary_);
  try {
    const Open file(temporary_, O_WRONLY | O_NOFOLLOW);
    const End from{STDIN_FILENO, "cannot read the standard input", "send a file through a pipe"};
    const End to{file.get(), "cannot store the standard input", makeRoom()};
    if (copy(from, to, program.control(), PipeGuard(temporary_)) == 0)
      throw Error(ErrorKind::BadData, "the standard input is empty", "check the program that writes to the pipe");
  } catch (...) {
    removeTemporary(temporary_);
    throw;
  }
  const std::size_t choice = name.find('@');
  path_ = temporary_.string() + (choice == std::string::npos ? "" : name.substr(choice));
}

InputFile::~InputFile() {
  if (!temporary_.empty()) removeTemporary(temporary_);
}

void InputFile::explain(const std::function<void()>& work) const {
  explained(temporary_.string(), kStandardInput, work);
}

OutputFile::OutputFile(Program& program, const std::string& name, const std::string& format)
    : program_(program), path_(name) {
  if (name != "-") {
    if (!format.empty())
      throw Error(ErrorKind::Usage, "--format does not apply to a file, whose name gives its format", "omit --format");
    return;
  }
  if (::isatty(STDOUT_FILENO) == 1)
    throw Error(ErrorKind::Usage, "the standard output is a terminal", "send it into a pipe or a file, or name a file");
  const std::string extension = format.empty() ? "nrrd" : format.substr(format.starts_with('.') ? 1 : 0);
  const std::string end = "stdout." + extension;
  const auto io = makeVolumeIo();
  std::string lower = "." + extension;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto isOf = [&](const FileFormat& known) {
    return known.write && std::ranges::any_of(known.extensions,
                                              [&](const auto& one) { return lower == one || lower == ".ome" + one; });
  };
  if (!std::ranges::any_of(io->formats(), isOf))
    throw Error(ErrorKind::Usage, "there is no format " + extension + " to write",
                "give --format one of nrrd, mha, nii, nii.gz, tif, npy, npz, mrc, vti, vtk, h5, png, jpg");
  if (namesStoreFolder(end))
    throw Error(ErrorKind::Usage, "the format " + extension + " is a folder, and a pipe is one file",
                "use nrrd, mha, nii, nii.gz, tif, npy, npz, mrc, vti, h5, png or jpg");
  if (io->filesWritten(end).size() > 1)
    throw Error(ErrorKind::Usage, "the format " + extension + " needs two files, and a pipe is one",
                "use nrrd, mha, nii, nii.gz, tif, npy, npz, mrc, vti, h5, png or jpg");
  // The reader may close the pipe early: that is an error with cleanup, not a fatal signal.
  ::signal(SIGPIPE, SIG_IGN);
  temporary_ = temporaryFile(end);
  program.interrupt.writesTemporary(temporary_);
  path_ = temporary_.string();
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) removeTemporary(temporary_);
}

void OutputFile::fill(const std::function<void()>& work) const {
  if (temporary_.empty()) return work();
  explained(path_, "the data for the standard output, in " + temporary_.parent_path().string(), work);
  const Open file(temporary_, O_RDONLY | O_NOFOLLOW);
  const End from{file.get(), "cannot read " + path_, makeRoom()};
  const End to{STDOUT_FILENO, "cannot write to the standard output", "check where it goes"};
  static_cast<void>(copy(from, to, program_.control()));
}

}  // namespace sscope::cli
