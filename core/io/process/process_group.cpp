#include "core/io/process/process_group.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <thread>

namespace sscope::io {

namespace {

constexpr int kFirst = 10;  // of descriptors that were moved up

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

// What posix_spawn is told; freed at the end.
class SpawnPlan {
 public:
  explicit SpawnPlan(const ProcessGroup::Start& how) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, 2, "/dev/null", O_WRONLY, 0);
    int last = 2;
    for (const auto& [ours, theirs] : how.descriptors) {
      posix_spawn_file_actions_adddup2(&actions_, ours, theirs);
      last = std::max(last, theirs);
    }
    // What others opened without care, drivers above all.
    posix_spawn_file_actions_addclosefrom_np(&actions_, last + 1);
    if (!how.folder.empty()) posix_spawn_file_actions_addchdir_np(&actions_, how.folder.c_str());
    posix_spawnattr_init(&attributes_);
    // Keys in a terminal go to the caller, which then ends the program itself. It leaves the caller's group a moment
    // after it begins; a key in that moment waits in its mask for good.
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

void reap(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Descriptor ProcessGroup::movedUp(const Descriptor& low) {
  return Descriptor(low.valid() ? ::fcntl(low.get(), F_DUPFD_CLOEXEC, kFirst) : -1);
}

int ProcessGroup::start(const Start& how) {
  const SpawnPlan plan(how);
  std::vector<std::string> words = {how.program.string()}, environment = how.environment;
  words.insert(words.end(), how.arguments.begin(), how.arguments.end());
  const int failure = ::posix_spawn(&pid_, how.program.c_str(), plan.actions(), plan.attributes(),
                                    pointers(words).data(), pointers(environment).data());
  if (failure != 0) pid_ = -1;
  return failure;
}

void ProcessGroup::end(Descriptor held) {
  if (pid_ < 0 || ended()) return;
  ::kill(-pid_, SIGKILL);  // the whole group: what the program may have started
  ::kill(pid_, SIGKILL);
  const pid_t pid = std::exchange(pid_, -1);
  try {
    std::thread([pid, held = std::move(held)] { reap(pid); }).detach();
  } catch (const std::system_error&) {
    reap(pid);  // no thread to be had; it is killed and ends by itself
  }
}

std::optional<int> ProcessGroup::ended() {
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

}  // namespace sscope::io
