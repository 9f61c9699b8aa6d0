#pragma once
// What runs did when: kernels, copies and steps, for a timeline. Recording is a look at a clock and a lock for each, of
// what takes at least tens of microseconds; a result that is quoted is timed without it.

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
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

  RunTrace() = default;
  // Of one of several engines that run at once: what is added goes to `whole`, as "part: upload", by its clock.
  RunTrace(std::shared_ptr<RunTrace> whole, std::string part);

  // Seconds since it, or the whole, was made.
  [[nodiscard]] double now() const { return whole_ ? whole_->now() : watch_.seconds(); }
  // From any thread.
  void add(std::string what, double begin, double end);
  // Ending now.
  void addLast(std::string what, double seconds);
  // How many were added here since the last take(), those beyond kMostSpans as well.
  [[nodiscard]] std::size_t count() const;
  // In the order in which they began; none where there were more than kMostSpans. Recording goes on without them. Not
  // of a part.
  [[nodiscard]] std::vector<RunSpan> take();

 private:
  Stopwatch watch_;
  mutable std::mutex mutex_;
  std::vector<RunSpan> spans_;
  std::size_t count_ = 0;
  std::shared_ptr<RunTrace> whole_;
  std::string part_;
};

// work(), recorded as a step where there is a trace.
template <class Work>
void recordStep(RunTrace* trace, std::string what, Work&& work) {
  if (trace == nullptr) return work();
  const double begin = trace->now();
  work();
  trace->add(std::move(what), begin, trace->now());
}

}  // namespace sscope
