#include "app/cli/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <string>
#include <string_view>
#include <system_error>

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/leftovers.h"

namespace sscope::cli {

namespace {

// The time from Ctrl-C to the prompt must be at most 100 ms.
constexpr timespec kGrace{0, 80'000'000}, kPatience{10, 0};
constexpr std::string_view kClearLine = "\r\033[K";

std::atomic<bool> ending{false};
std::atomic<int> firstSignal{0};
std::atomic<int> statusWhenDone{0};

// The cleanup of drivers and libraries at the end of a program can take long, so it is skipped.
void onSignalWhenDone(int) { _exit(statusWhenDone); }

// SIGHUP is sent when a terminal is closed; if nohup ignores it, it stays ignored.
sigset_t endingSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  struct sigaction before {};
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaddset(&signals, SIGHUP);
  return signals;
}

}  // namespace

// Blocked in all later threads and received by the watcher: LLVM would replace handlers by its own, which removes files
// of kernels under compilation, and then reports them as missing.
Interrupt::Interrupt() : signals_(endingSignals()) {
  ending = false;
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  watcher_ = std::thread([this] { watch(); });
  askBeforeNames([this](std::span<const std::filesystem::path> targets) { named(targets); });
  // A file that exceeds `ulimit -f` makes the call fail, which is reported and cleaned up.
  ::signal(SIGXFSZ, SIG_IGN);
}

Interrupt::~Interrupt() {
  askBeforeNames(nullptr);
  struct sigaction action {};
  action.sa_handler = done_ ? onSignalWhenDone : SIG_DFL;
  for (const int number : {SIGINT, SIGTERM, SIGHUP})
    if (sigismember(&signals_, number) == 1) sigaction(number, &action, nullptr);
  ending = true;  // the work has responded
  pthread_kill(watcher_.native_handle(), SIGTERM);
  watcher_.join();
  pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
}

void Interrupt::done(int status) {
  statusWhenDone = status;
  done_ = true;
}

void Interrupt::cancel() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stop_.request_stop();
}

bool Interrupt::stops(int number) {
  const std::lock_guard lock(mutex_);
  if (named_) return false;
  stopped_ = true;
  firstSignal = number;
  return true;
}

void Interrupt::named(std::span<const std::filesystem::path> targets) {
  const std::lock_guard lock(mutex_);
  if (std::ranges::none_of(targets, [&](const auto& target) { return targets_.contains(target); })) return;
  if (stopped_ && !waits_) throw Canceled();
  named_ = !stopped_;
}

void Interrupt::begins() {
  const std::lock_guard lock(mutex_);
  named_ = false;
}

void Interrupt::writesTemporary(const std::filesystem::path& file) {
  {
    const std::lock_guard lock(mutex_);
    temporary_.insert(file);
  }
  writes(file);
}

void Interrupt::writes(const std::filesystem::path& target) {
  const std::lock_guard lock(mutex_);
  if (!temporary_.contains(target)) targets_.insert(target);
  folders_.insert(target.has_parent_path() ? target.parent_path() : ".");
  std::error_code code;
  const std::filesystem::path file = std::filesystem::canonical(target, code);  // with links followed
  if (!code) folders_.insert(file.parent_path());
}

void Interrupt::removes(const std::filesystem::path& file) {
  const std::lock_guard lock(mutex_);
  files_.insert(file);
}

void Interrupt::keeps(const std::filesystem::path& file) {
  const std::lock_guard lock(mutex_);
  files_.erase(file);
}

void Interrupt::watch() {
  int number = 0;
  while (sigwait(&signals_, &number) != 0) {
  }
  if (ending) return;
  while (!stops(number)) {
    const timespec aMoment{0, 5'000'000};
    const int second = sigtimedwait(&signals_, nullptr, &aMoment);
    if (ending) return;
    if (second <= 0) continue;
    firstSignal = second;
    forceEnd();
  }
  stop_.request_stop();
  const timespec& grace = waits_ ? kPatience : kGrace;
  while (sigtimedwait(&signals_, nullptr, &grace) < 0 && errno == EINTR) {
  }
  if (!ending) forceEnd();
}

void Interrupt::forceEnd() {
  const auto print = [](std::string_view text) {
    static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
  };
  const bool terminal = speaks_ && ::isatty(STDERR_FILENO) == 1;
  // Removing gigabytes that are still being written takes a moment.
  if (terminal) {
    print(kClearLine);
    print("removing unfinished files");
  }
  removeTemporaryFiles();
  if (!speaks_) endBySignal();
  if (terminal) print(kClearLine);
  print("error: canceled\n");
  endBySignal();
}

int Interrupt::received() { return firstSignal; }

void Interrupt::endBySignal() {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  sigaction(firstSignal, &action, nullptr);
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, firstSignal);
  pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
  ::raise(firstSignal);
  // In case the signal is not delivered at once, or not at all (the first process of a container).
  constexpr int kShellsOffset = 128;
  _exit(kShellsOffset + firstSignal);
}

// Removes the temporary files of writeAtomically() of this process, and the registered files.
void Interrupt::removeTemporaryFiles() {
  namespace fs = std::filesystem;
  const std::string start = ".part-" + std::to_string(::getpid()) + "-";
  const std::lock_guard lock(mutex_);
  std::error_code code;
  for (const fs::path& file : files_) removeTemporary(file);
  for (const fs::path& folder : folders_) {
    // Not a range-based for, because its increments may throw.
    for (auto entry = fs::directory_iterator(folder, code); !code && entry != fs::directory_iterator();
         entry.increment(code))
      if (entry->path().filename().string().rfind(start, 0) == 0) removeTemporary(entry->path());
  }
}

}  // namespace sscope::cli
