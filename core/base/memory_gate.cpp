#include "core/base/memory_gate.h"

#include <chrono>

namespace sscope {

MemoryGate::Pass::Pass(MemoryGate& gate, std::int64_t bytes, const Control& control) : gate_(gate), bytes_(bytes) {
  constexpr std::chrono::milliseconds kLook{20};  // whether it is canceled
  std::unique_lock lock(gate_.mutex_);
  while (gate_.taken_ > 0 && gate_.taken_ + bytes_ > gate_.most_) {
    gate_.freed_.wait_for(lock, kLook);
    control.check();
  }
  gate_.taken_ += bytes_;
}

MemoryGate::Pass::~Pass() {
  const std::lock_guard lock(gate_.mutex_);
  gate_.taken_ -= bytes_;
  gate_.freed_.notify_all();
}

}  // namespace sscope
