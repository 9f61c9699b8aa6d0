#pragma once
// Ctrl-C cancels the work and lets it clean up. If it does not end in time (a driver's compiler, another library), or
// on a second Ctrl-C, the program is ended.

#include <signal.h>

#include <atomic>
#include <filesystem>
#include <mutex>
#include <set>
#include <stop_token>
#include <thread>

namespace sscope::cli {

// Handles SIGINT, SIGTERM and SIGHUP while it exists. Only one may exist, made before any other thread.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  // The first signal received, else 0.
  [[nodiscard]] static int received();
  // Cancels as a signal does, but waits for the work as long as it takes.
  void cancel() { stop_.request_stop(); }
  // After a signal what was measured so far is written, which takes longer than an end without: a second signal, or ten
  // seconds, force the end.
  void waitsForResults() { waits_ = true; }
  // Whether a forced end says so on standard error (at first: yes).
  void speak(bool yes) { speaks_ = yes; }
  // Ends the program by that signal, so that shells see status 130 or 143 and end their loops.
  [[noreturn]] static void endBySignal();
  // The work is done: from now on a signal ends the program sooner but does not change its exit status.
  void done(int status);
  // Registers a file that will be written, so that a forced end can clean up.
  void writes(const std::filesystem::path& target);
  // The same for one file, whoever made it, until keeps().
  void removes(const std::filesystem::path& file);
  void keeps(const std::filesystem::path& file);

 private:
  void watch();
  [[noreturn]] void forceEnd();
  void removeTemporaryFiles();

  sigset_t signals_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::set<std::filesystem::path> folders_, files_;
  bool done_ = false;
  std::atomic<bool> speaks_{true}, waits_{false};
  std::thread watcher_;
};

}  // namespace sscope::cli
