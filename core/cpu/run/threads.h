#pragma once
// Threads: the number for a request, a limit for all loops, and the same work on all threads at once.

#include <functional>
#include <memory>

namespace sscope::cpu {

// The number of threads for a request: all of the processor's for 0, never more than it has.
[[nodiscard]] int threadCount(int requested);

// While this object exists, all loops of this process together use at most this many threads; 0: no limit.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  struct Limit;
  std::unique_ptr<Limit> limit_;
};

// Calls work(thread) on every thread at the same moment. Returns the seconds from the first start to the last end.
double together(int threads, const std::function<void(int)>& work);

}  // namespace sscope::cpu
