#include "core/io/process/child.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

#include "core/base/error.h"
#include "core/io/process/protocol.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

Error cannotStart(const fs::path& program, int errnoValue) {
  // EINVAL: a descriptor beyond the limit was asked for.
  const bool files = errnoValue == EMFILE || errnoValue == ENFILE || errnoValue == EINVAL;
  const bool crowded = errnoValue == EAGAIN || errnoValue == ENOMEM;
  return {ErrorKind::Io, "cannot start the reader program " + program.string() + " (" + std::strerror(errnoValue) + ")",
          files     ? "raise the number of files that may be open, as with `ulimit -n 1024`"
          : crowded ? "close other programs"
                    : "install Stencilscope again"};
}

Descriptor movedUp(const fs::path& program, const Descriptor& low) {
  Descriptor high = ProcessGroup::movedUp(low);
  if (!high.valid()) throw cannotStart(program, errno);
  return high;
}

// The reader needs no secrets: decoders act on some variables (plugins, temporary folders), and what is not there
// cannot be sent anywhere.
std::vector<std::string> cleanEnvironment() {
  std::vector<std::string> kept;
  for (const char* name : {"LD_LIBRARY_PATH", "LANG", "LC_ALL", "LC_CTYPE", "ASAN_OPTIONS", "LSAN_OPTIONS",
                           "TSAN_OPTIONS", "UBSAN_OPTIONS"})
    if (const char* value = std::getenv(name)) kept.push_back(std::string(name) + "=" + value);
  return kept;
}

// The number at this place of a file of the system, 0 when it cannot be read.
std::int64_t numberIn(const std::string& file, int place, const char* before) {
  std::ifstream stream(file);
  std::string word;
  if (*before != '\0' && (!(stream >> word) || word != before)) return 0;
  std::int64_t value = 0;
  for (int n = 0; n <= place; ++n)
    if (!(stream >> value)) return 0;
  return value;
}

}  // namespace

Child::Child(const fs::path& program, const std::vector<std::string>& arguments) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw cannotStart(program, errno);
  reply_ = Descriptor(ends[0]);
  const Descriptor theirs = movedUp(program, Descriptor(ends[1]));
  if (::fcntl(reply_.get(), F_SETFL, O_NONBLOCK) != 0) throw cannotStart(program, errno);
  voxels_ = movedUp(program, Descriptor(::memfd_create("sscope-voxels", MFD_CLOEXEC | MFD_ALLOW_SEALING)));

  const int failure =
      group_.start({.program = program,
                    .folder = {},
                    .arguments = arguments,
                    .environment = cleanEnvironment(),
                    .descriptors = {{theirs.get(), kReplyDescriptor}, {voxels_.get(), kVoxelDescriptor}}});
  if (failure != 0) throw cannotStart(program, failure);
}

std::int64_t Child::voxelBytes() const {
  struct stat status {};
  return ::fstat(voxels_.get(), &status) == 0 ? static_cast<std::int64_t>(status.st_blocks) * 512 : 0;
}

std::int64_t Child::voxelSize() const {
  struct stat status {};
  return ::fstat(voxels_.get(), &status) == 0 ? static_cast<std::int64_t>(status.st_size) : 0;
}

std::int64_t Child::bytesRead() const { return numberIn("/proc/" + std::to_string(group_.pid()) + "/io", 0, "rchar:"); }

std::int64_t Child::residentPages() const {
  return numberIn("/proc/" + std::to_string(group_.pid()) + "/statm", 1, "");
}

double Child::processorSeconds() const {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(group_.pid(), &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace sscope::io
