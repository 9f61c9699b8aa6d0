#include "app/cli/interrupt.h"

#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <ctime>
#include <string>
#include <string_view>
#include <system_error>

namespace sscope::cli {

namespace {

// The promise is 100 ms from the key to the prompt.
constexpr long kGraceNanoseconds = 80'000'000;
constexpr std::string_view kClearLine = "\r\033[K";

// A signal handler can reach nothing but this.
sem_t signaled;
std::atomic<bool> ending{false};
std::atomic<int> firstSignal{0};
std::atomic<int> statusWhenDone{0};

// sem_post is one of the few calls that are allowed here; the rest is done by the watcher's thread.
void onSignal(int number) {
  const int before = errno;
  int none = 0;
  firstSignal.compare_exchange_strong(none, number);
  sem_post(&signaled);
  errno = before;
}

// What drivers and libraries clean up at the end of a program can take a while; nothing waits for it.
void onSignalWhenDone(int) { _exit(statusWhenDone); }

}  // namespace

Interrupt::Interrupt() {
  sem_init(&signaled, 0, 0);
  ending = false;
  watcher_ = std::thread([this] { watch(); });
  struct sigaction action {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A terminal that is closed; nohup has it ignored, and that stays.
  struct sigaction before {};
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  // A file larger than `ulimit -f` allows is an error of the call, to be told and cleaned up after.
  ::signal(SIGXFSZ, SIG_IGN);
}

Interrupt::~Interrupt() {
  struct sigaction action {};
  action.sa_handler = done_ ? onSignalWhenDone : SIG_DFL;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction now {};
  if (sigaction(SIGHUP, nullptr, &now) == 0 && now.sa_handler == onSignal) sigaction(SIGHUP, &action, nullptr);
  ending = true;  // from here on the work has answered
  sem_post(&signaled);
  watcher_.join();
  sem_destroy(&signaled);
}

void Interrupt::done(int status) {
  statusWhenDone = status;
  done_ = true;
}

void Interrupt::writes(const std::filesystem::path& target) {
  const std::lock_guard lock(mutex_);
  folders_.insert(target.has_parent_path() ? target.parent_path() : ".");
  std::error_code code;
  const std::filesystem::path file = std::filesystem::canonical(target, code);  // behind a link
  if (!code) folders_.insert(file.parent_path());
}

void Interrupt::watch() {
  while (sem_wait(&signaled) != 0) {
  }
  if (ending) return;
  stop_.request_stop();
  timespec until{};
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += kGraceNanoseconds;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  while (sem_clockwait(&signaled, CLOCK_MONOTONIC, &until) != 0 && errno == EINTR) {
  }
  if (!ending) forceEnd();
}

void Interrupt::forceEnd() {
  removeTemporaryFiles();
  constexpr std::string_view kMessage = "error: canceled\n";
  const std::string_view text = ::isatty(STDERR_FILENO) == 1 ? kClearLine : std::string_view{};
  static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
  static_cast<void>(!::write(STDERR_FILENO, kMessage.data(), kMessage.size()));
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
  // Where the signal is not delivered at once, or not at all (the first process of a container).
  constexpr int kShellsOffset = 128;
  _exit(kShellsOffset + firstSignal);
}

// The names that writeAtomically() gives to this process' temporary files.
void Interrupt::removeTemporaryFiles() {
  namespace fs = std::filesystem;
  const std::string start = ".part-" + std::to_string(::getpid()) + "-";
  const std::lock_guard lock(mutex_);
  for (const fs::path& folder : folders_) {
    std::error_code code;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, code))
      if (entry.path().filename().string().rfind(start, 0) == 0) fs::remove(entry.path(), code);
  }
}

}  // namespace sscope::cli
