#include "core/base/prompt_removal.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace sscope {

namespace {

constexpr off_t kLarge = off_t{64} << 20;
constexpr off_t kBlock = 512;  // of st_blocks, whatever the file system's own are

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return number_; }
  void close() {
    if (const int number = std::exchange(number_, -1); number >= 0) ::close(number);
  }
  // Out of the way of those that the other process is given.
  void moveUp() {
    constexpr int kFree = 16;
    const int higher = ::fcntl(number_, F_DUPFD_CLOEXEC, kFree);
    if (higher < 0) return;
    close();
    number_ = higher;
  }

 private:
  int number_;
};

// A process that holds the file until `until` is closed, and for a second more: whoever closes the file last has to
// free it, and this process may have it open elsewhere until it ends. It has nothing else of this one: neither its
// pipes, for whose end others may wait, nor its memory, which a fork would have to copy the tables of.
void letHold(const Descriptor& file, const Descriptor& until) {
  constexpr int kUntil = 3, kFile = 4;
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return;
  const bool ready = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
                     posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) == 0 &&
                     posix_spawn_file_actions_adddup2(&actions, 1, 2) == 0 &&
                     posix_spawn_file_actions_adddup2(&actions, until.get(), kUntil) == 0 &&
                     posix_spawn_file_actions_adddup2(&actions, file.get(), kFile) == 0 &&
                     posix_spawn_file_actions_addclosefrom_np(&actions, kFile + 1) == 0;
  // The shell ends at once, so that nobody has to wait for what it leaves behind.
  char shell[] = "sh", option[] = "-c", script[] = "{ read end <&3; sleep 1; } &";
  char* arguments[] = {shell, option, script, nullptr};
  char* environment[] = {nullptr};
  pid_t child = 0;
  if (ready && ::posix_spawn(&child, "/bin/sh", &actions, nullptr, arguments, environment) == 0)
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  posix_spawn_file_actions_destroy(&actions);
}

}  // namespace

void removePromptly(const std::filesystem::path& file) noexcept {
  struct stat status {};
  if (::lstat(file.c_str(), &status) != 0) return;
  if (S_ISDIR(status.st_mode)) {
    if (!file.filename().string().starts_with(".part-")) return;
    // Somebody may still be writing into it.
    constexpr int kTries = 1000;
    std::error_code ignored;
    for (int n = 0; n < kTries && ::lstat(file.c_str(), &status) == 0; ++n) std::filesystem::remove_all(file, ignored);
    return;
  }
  // Blocks as well: a file for which room was reserved has all of them before it has its first byte.
  const off_t taken = std::max(status.st_size, status.st_blocks * kBlock);
  Descriptor held(S_ISREG(status.st_mode) && taken >= kLarge ? ::open(file.c_str(), O_RDONLY | O_CLOEXEC) : -1);
  int ends[2];
  if (held.get() < 0 || ::pipe2(ends, O_CLOEXEC) != 0) {
    ::unlink(file.c_str());
    return;
  }
  Descriptor until(ends[0]), here(ends[1]);
  for (Descriptor* one : {&held, &until, &here}) one->moveUp();
  letHold(held, until);
  ::unlink(file.c_str());
}

}  // namespace sscope
