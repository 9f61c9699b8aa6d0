#pragma once

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

}  // namespace sscope::cpu
