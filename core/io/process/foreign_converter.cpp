#include "core/io/process/foreign_converter.h"

#include <fcntl.h>
#include <unistd.h>

#include <sys/wait.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/leftovers.h"
#include "core/base/words.h"
#include "core/io/process/process_group.h"
#include "core/io/process/stop_signal.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* kProgram = "bfconvert";

Error cannotConvert(ErrorKind kind, const std::string& path, const std::string& why, const std::string& remedy) {
  return {kind, "cannot convert " + path + ": " + why, remedy};
}

// A folder of its own, in which it works: it gives a `%` in names a meaning, and options begin with a `-`.
ForeignCopy workFolder(const std::string& path, const fs::path& parent) {
  static Leftovers leftovers;
  leftovers.remove(parent, kProgram);
  constexpr mode_t kPrivate = 0700;
  const auto made = makeTemporaryFolder(parent, kProgram, kPrivate);
  if (!made)
    throw cannotConvert(ErrorKind::Io, path, parent.string() + " cannot be written to (" + std::strerror(errno) + ")",
                        "choose another folder");
  return ForeignCopy(made->path);
}

// What the program prints: how far it is, and what is wrong.
class Words {
 public:
  explicit Words(const Control& control) : control_(control) {}
  void add(std::string_view text) {
    constexpr std::size_t kLongest = 4096;
    for (const char c : text) {
      if (c == '\n')
        take(std::exchange(line_, {}));
      else if (line_.size() < kLongest)
        line_ += c;
    }
  }
  [[nodiscard]] std::string last() {
    take(std::exchange(line_, {}));
    constexpr std::size_t kShort = 300;
    return shortened(inOneLine(last_), kShort);
  }

 private:
  void take(const std::string& line) {
    long long done = 0, all = 0;
    const std::size_t at = line.find("onverted ");
    if (at != std::string::npos && std::sscanf(line.c_str() + at, "onverted %lld/%lld planes", &done, &all) == 2 &&
        done >= 0 && done <= all && all > 0)
      control_.report(static_cast<double>(done) / static_cast<double>(all), kProgram);
    // Where an exception came from is indented.
    else if (!line.empty() && line.front() != ' ' && line.front() != '\t')
      last_ = line;
  }
  const Control& control_;
  std::string line_, last_;
};

std::vector<std::string> ownEnvironment() {
  std::vector<std::string> all;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) all.emplace_back(*each);
  return all;
}

// Reads what is there; false at the end.
bool readOn(int pipe, Words& words) {
  std::array<char, 4096> piece{};
  for (;;) {
    const ssize_t n = ::read(pipe, piece.data(), piece.size());
    if (n > 0)
      words.add({piece.data(), static_cast<std::size_t>(n)});
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
      return false;
    else if (errno == EAGAIN)
      return true;
  }
}

// Its waitpid status.
int runToEnd(ProcessGroup& group, int pipe, Words& words, const Control& control) {
  constexpr int kMilliseconds = 20;
  const StopSignal stop(control);
  for (bool open = true;;) {
    control.check();
    const std::optional<int> status = group.ended();
    if (open) open = readOn(pipe, words);
    if (status) return *status;
    stop.wait(open ? pipe : -1, kMilliseconds);
  }
}

}  // namespace

// Folders that are named from the one that is open are left out: data are there, and nobody's programs.
fs::path foreignConverter() {
  const char* const list = std::getenv("PATH");
  std::string_view rest = list == nullptr ? "" : list;
  for (;;) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const fs::path file = fs::path(rest.substr(0, end)) / kProgram;
    std::error_code code;
    if (file.is_absolute() && fs::is_regular_file(file, code) && ::access(file.c_str(), X_OK) == 0) return file;
    if (end == rest.size()) return {};
    rest.remove_prefix(end + 1);
  }
}

ForeignCopy convertForeign(const std::string& path, const fs::path& folder, const Control& control) {
  const fs::path program = foreignConverter();
  if (program.empty())
    throw cannotConvert(ErrorKind::NotFound, path, "bfconvert is not installed, or not in PATH",
                        "get the command line tools of Bio-Formats (https://www.openmicroscopy.org/bio-formats), which "
                        "need Java, and put their folder into PATH");
  ForeignCopy copy = workFolder(path, folder);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw cannotConvert(ErrorKind::Io, path, std::strerror(errno), "close other programs");
  const Descriptor ours(ends[0]);
  Descriptor theirs = ProcessGroup::movedUp(Descriptor(ends[1]));
  Words words(control);
  control.report(0, kProgram);
  ProcessGroup group;
  // Without -no-upgrade it asks a server for a newer one; without -noflat the levels of a pyramid become images.
  const int failure =
      !theirs.valid() || ::fcntl(ours.get(), F_SETFL, O_NONBLOCK) != 0
          ? errno
          : group.start(
                {.program = program,
                 .folder = copy.folder(),
                 .arguments = {"-no-upgrade", "-noflat", fs::absolute(path).string(), copy.file().filename().string()},
                 .environment = ownEnvironment(),
                 .descriptors = {{theirs.get(), STDOUT_FILENO}, {theirs.get(), STDERR_FILENO}}});
  theirs.reset();
  if (failure != 0)
    throw cannotConvert(ErrorKind::Io, path, program.string() + " cannot be started (" + std::strerror(failure) + ")",
                        "install Bio-Formats again");
  const int status = runToEnd(group, ours.get(), words, control);
  std::error_code code;
  const bool there = fs::is_regular_file(fs::symlink_status(copy.file(), code));
  if (status != 0 || !there) {
    const std::string said = words.last();
    throw cannotConvert(ErrorKind::BadData, path,
                        !WIFEXITED(status) ? "bfconvert was ended by signal " + std::to_string(WTERMSIG(status))
                        : WEXITSTATUS(status) != 0
                            ? "bfconvert ended with status " + std::to_string(WEXITSTATUS(status))
                            : std::string("bfconvert made no file"),
                        said.empty() ? "run it by itself to see why" : "it printed: " + said);
  }
  return copy;
}

}  // namespace sscope::io
