#pragma once
// A progress line on standard error, rewritten in place; only on a terminal.

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

namespace sscope::cli {

class ProgressLine {
 public:
  // shown: false for a process that leaves it to another.
  explicit ProgressLine(bool shown = true);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  [[nodiscard]] bool terminal() const { return terminal_; }
  // Thread-safe; updates at most about 20 times per second.
  void show(double fraction, std::string_view stage);
  void clear();

 private:
  const bool terminal_;
  std::mutex mutex_;
  std::string shown_;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace sscope::cli
