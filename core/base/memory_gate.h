#pragma once
// Lets work begin while there is memory for it, so that not every thread starts on something large at once.

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "core/base/control.h"

namespace sscope {

class MemoryGate {
 public:
  // How much may be taken together; what is larger may run alone.
  explicit MemoryGate(std::int64_t bytes) : most_(bytes) {}

  // Waits its turn; throws Canceled. Whoever holds a pass must not run tasks of others while it waits for its own, such
  // as one that asks for a pass itself (tbb::this_task_arena::isolate).
  class Pass {
   public:
    Pass(MemoryGate& gate, std::int64_t bytes, const Control& control);
    ~Pass();
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

   private:
    MemoryGate& gate_;
    std::int64_t bytes_;
  };

 private:
  std::int64_t most_, taken_ = 0;
  std::mutex mutex_;
  std::condition_variable freed_;
};

}  // namespace sscope
