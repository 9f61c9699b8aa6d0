#pragma once
// Progress for people: one line on standard error, rewritten in place, and only on a terminal.

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

namespace sscope::cli {

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  [[nodiscard]] bool terminal() const { return terminal_; }
  // From any thread; at most about 20 times a second are shown.
  void show(double fraction, std::string_view stage);
  void clear();

 private:
  const bool terminal_;
  std::mutex mutex_;
  std::string shown_;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace sscope::cli
