#pragma once
// Ctrl-C cancels the work and lets it clean up. If it does not end in time (a driver's compiler, another library), or
// on a second Ctrl-C, the program is ended.

#include <signal.h>

#include <atomic>
#include <filesystem>
#include <mutex>
#include <set>
#include <span>
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
  // Cancels like a signal, but without a time limit for the work.
  void cancel();
  // After a signal, the measurements so far are written, which takes longer: only a second signal or ten seconds force
  // the end.
  void waitsForResults() { waits_ = true; }
  // Whether a forced end prints a message on standard error (default: yes).
  void speak(bool yes) { speaks_ = yes; }
  // Ends the program by that signal, so that shells see status 130 or 143 and end their loops.
  [[noreturn]] static void endBySignal();
  // The work is done: from now on a signal ends the program sooner but does not change its exit status.
  void done(int status);
  // Registers a file that will be written, so that a forced end can remove it. After it is renamed, its job has ended:
  // a signal no longer stops it, and a second one ends the program.
  void writes(const std::filesystem::path& target);
  // The same for a temporary file; call it before writes(): renaming it does not end the job.
  void writesTemporary(const std::filesystem::path& file);
  // Begins another job, which signals stop, including one that came too late for the last job.
  void begins();
  // Registers one file, made by any code, until keeps().
  void removes(const std::filesystem::path& file);
  void keeps(const std::filesystem::path& file);

 private:
  void watch();
  // Whether this signal stops the work; else its results have been renamed.
  [[nodiscard]] bool stops(int number);
  // Throws Canceled if the work was already stopped.
  void named(std::span<const std::filesystem::path> targets);
  [[noreturn]] void forceEnd();
  void removeTemporaryFiles();

  sigset_t signals_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::set<std::filesystem::path> folders_, files_, targets_, temporary_;
  bool done_ = false;
  bool stopped_ = false, named_ = false;  // at most one of the two is true
  std::atomic<bool> speaks_{true}, waits_{false};
  std::thread watcher_;
};

}  // namespace sscope::cli
