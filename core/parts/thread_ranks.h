#pragma once
// Ranks that are threads of this process, for a device each: they exchange messages through its memory.

#include <functional>
#include <memory>

#include "core/base/control.h"
#include "core/parts/communicator.h"

namespace sscope::reach {

class ThreadRanks {
 public:
  // Starts size - 1 threads, which wait for run(). size >= 1; throws std::logic_error otherwise.
  explicit ThreadRanks(int size);
  ~ThreadRanks();
  ThreadRanks(const ThreadRanks&) = delete;
  ThreadRanks& operator=(const ThreadRanks&) = delete;

  [[nodiscard]] int size() const;

  // What every rank does. Its control stops when the caller's does and when another rank fails; only that of rank 0
  // tells progress.
  using Body = std::function<void(Communicator& communicator, const Control& control)>;
  // Runs `body` on every rank, as rank 0 on the calling thread, and returns when all have ended. When one throws, the
  // waits of all others end and run() throws what the first one did; the next run() starts afresh. A rank that returns
  // while another waits for it makes that one throw Error(Io). For one thread at a time, and not from within a body.
  void run(const Control& control, const Body& body);

 private:
  class Shared;
  class Rank;
  std::unique_ptr<Shared> shared_;
};

}  // namespace sscope::reach
