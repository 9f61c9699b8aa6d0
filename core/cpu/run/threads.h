#pragma once
// Threads: how many loops use, and the same work on all of them at once.

#include <functional>
#include <memory>

namespace sscope::cpu {

// The number of threads for a request: all of the processor's for 0, never more than it has.
[[nodiscard]] int threadCount(int requested);

// While it is there, all loops of this process together use no more than so many threads; 0: no limit.
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

// Calls work(thread) on every thread at the same moment and gives the seconds from the first to begin to the last to
// end.
double together(int threads, const std::function<void(int)>& work);

}  // namespace sscope::cpu
