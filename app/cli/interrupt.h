#pragma once
// Ctrl-C: the first stops the work and lets it clean up, the second ends the program at once.

#include <filesystem>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace sscope::cli {

// One at a time. Handles SIGINT and SIGTERM while it lives.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  // A file that is going to be written: what a second Ctrl-C has to clean up after.
  void writes(const std::filesystem::path& target);

 private:
  void watch();
  void removeTemporaryFiles();

  std::stop_source stop_;
  std::mutex mutex_;
  std::vector<std::filesystem::path> folders_;
  std::thread watcher_;
};

}  // namespace sscope::cli
