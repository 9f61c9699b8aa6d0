#pragma once
// Ctrl-C stops the work and lets it clean up; what does not answer in time (a driver's compiler, another library),
// or is told a second time, is ended with the program.

#include <filesystem>
#include <mutex>
#include <set>
#include <stop_token>
#include <thread>

namespace sscope::cli {

// One at a time. Handles SIGINT and SIGTERM while it lives.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  // SIGINT or SIGTERM once it came, else 0.
  [[nodiscard]] static int received();
  // Ends the program as that signal would have: shells tell it from an ordinary failure (130, 143) and end their loops.
  [[noreturn]] static void endBySignal();
  // The work is done: a signal from here on hastens the end of the program and changes nothing in how it ended.
  void done(int status);
  // A file that is going to be written: what a forced end has to clean up after.
  void writes(const std::filesystem::path& target);

 private:
  void watch();
  [[noreturn]] void forceEnd();
  void removeTemporaryFiles();

  std::stop_source stop_;
  std::mutex mutex_;
  std::set<std::filesystem::path> folders_;
  bool done_ = false;
  std::thread watcher_;
};

}  // namespace sscope::cli
