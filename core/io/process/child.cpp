#include "core/io/process/child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <system_error>
#include <thread>

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

// Numbers above those that the reader finds them under: no dup2 then overwrites what a later one needs.
Descriptor movedUp(const fs::path& program, Descriptor low) {
  constexpr int kFirst = 10;
  static_assert(kFirst > kReplyDescriptor && kFirst > kVoxelDescriptor);
  if (!low.valid()) throw cannotStart(program, errno);
  Descriptor high(::fcntl(low.get(), F_DUPFD_CLOEXEC, kFirst));
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

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

// What posix_spawn is told; freed at the end.
class SpawnPlan {
 public:
  SpawnPlan(int reply, int voxels) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, reply, kReplyDescriptor);
    posix_spawn_file_actions_adddup2(&actions_, voxels, kVoxelDescriptor);
    // What others opened without care, drivers above all.
    posix_spawn_file_actions_addclosefrom_np(&actions_, kVoxelDescriptor + 1);
    posix_spawnattr_init(&attributes_);
    // Keys in a terminal go to the caller, which then ends the reader itself. The reader leaves the caller's group a
    // moment after it begins; a key in that moment waits in its mask for good.
    posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t keys, all;
    sigemptyset(&keys);
    for (const int number : {SIGINT, SIGQUIT, SIGTSTP, SIGHUP}) sigaddset(&keys, number);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &keys);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }
  [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

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

void reap(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Child::Child(const fs::path& program, const std::vector<std::string>& arguments) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw cannotStart(program, errno);
  reply_ = Descriptor(ends[0]);
  const Descriptor theirs = movedUp(program, Descriptor(ends[1]));
  if (::fcntl(reply_.get(), F_SETFL, O_NONBLOCK) != 0) throw cannotStart(program, errno);
  voxels_ = movedUp(program, Descriptor(::memfd_create("sscope-voxels", MFD_CLOEXEC | MFD_ALLOW_SEALING)));

  const SpawnPlan plan(theirs.get(), voxels_.get());
  std::vector<std::string> words = {program.string()}, environment = cleanEnvironment();
  words.insert(words.end(), arguments.begin(), arguments.end());
  const int failure = ::posix_spawn(&pid_, program.c_str(), plan.actions(), plan.attributes(), pointers(words).data(),
                                    pointers(environment).data());
  if (failure != 0) throw cannotStart(program, failure);
}

Child::~Child() {
  if (ended()) return;
  ::kill(-pid_, SIGKILL);  // the whole group: what the reader may have started
  ::kill(pid_, SIGKILL);
  try {
    std::thread([pid = pid_, voxels = std::move(voxels_)] { reap(pid); }).detach();
  } catch (const std::system_error&) {
    reap(pid_);  // no thread to be had; it is killed and ends by itself
  }
}

std::optional<int> Child::ended() {
  if (status_) return status_;
  siginfo_t info{};
  const int answer = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  if (answer == 0 && info.si_pid == 0) return {};
  // Its number is nobody else's before it is reaped: only its own group is met.
  ::kill(-pid_, SIGKILL);
  int status = 0;
  // Whoever embeds this may reap all children; the reply has to do then.
  status_ = ::waitpid(pid_, &status, WNOHANG) == pid_ ? status : 0;
  return status_;
}

std::int64_t Child::voxelBytes() const {
  struct stat status {};
  return ::fstat(voxels_.get(), &status) == 0 ? static_cast<std::int64_t>(status.st_blocks) * 512 : 0;
}

std::int64_t Child::voxelSize() const {
  struct stat status {};
  return ::fstat(voxels_.get(), &status) == 0 ? static_cast<std::int64_t>(status.st_size) : 0;
}

std::int64_t Child::bytesRead() const { return numberIn("/proc/" + std::to_string(pid_) + "/io", 0, "rchar:"); }

std::int64_t Child::residentPages() const { return numberIn("/proc/" + std::to_string(pid_) + "/statm", 1, ""); }

double Child::processorSeconds() const {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(pid_, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace sscope::io
