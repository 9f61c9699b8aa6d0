#include "app/cli/progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace sscope::cli {

ProgressLine::ProgressLine(bool shown) : terminal_(shown && ::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(double fraction, std::string_view stage) {
  if (!terminal_) return;
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  const int percent = static_cast<int>(100 * std::clamp(fraction, 0.0, 1.0));
  const std::string text = std::to_string(percent) + " % " + std::string(stage);
  if (text == shown_ || (!shown_.empty() && now - last_ < std::chrono::milliseconds(50))) return;
  last_ = now;
  shown_ = text;
  std::fprintf(stderr, "\r%s\033[K", text.c_str());
  std::fflush(stderr);
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  if (shown_.empty()) return;
  shown_.clear();
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

}  // namespace sscope::cli
