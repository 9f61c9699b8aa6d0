#pragma once
// What runs did when: kernels, copies and steps, for a timeline. Recording is a look at a clock and a lock for each, of
// what takes at least tens of microseconds; a result that is quoted is timed without it.

#include <mutex>
#include <string>
#include <vector>

#include "core/base/stopwatch.h"

namespace sscope {

struct RunSpan {
  std::string what;           // "upload", the name of a kernel
  double begin = 0, end = 0;  // seconds of the trace's clock
};

class RunTrace {
 public:
  static constexpr std::size_t kMostSpans = 512;

  // Seconds since it was made.
  [[nodiscard]] double now() const { return watch_.seconds(); }
  // From any thread.
  void add(std::string what, double begin, double end);
  // Ending now.
  void addLast(std::string what, double seconds);
  // How many there are since the last take(), those beyond kMostSpans as well.
  [[nodiscard]] std::size_t count() const;
  // In the order in which they began; none where there were more than kMostSpans. Recording goes on without them.
  [[nodiscard]] std::vector<RunSpan> take();

 private:
  Stopwatch watch_;
  mutable std::mutex mutex_;
  std::vector<RunSpan> spans_;
  std::size_t count_ = 0;
};

}  // namespace sscope
