#pragma once
// A gate at which timed work waits while something else in the program runs. Afterward the timed work asks whether it
// was undisturbed.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "core/base/control.h"

namespace sscope {

// The progress message of work that waits while a 3D view holds the gate.
inline constexpr const char* kWaiting = "waiting until the 3D view is finished";

class QuietGate {
 public:
  void setHeld(bool held) {
    const std::lock_guard lock(mutex_);
    if (held && !held_) ++times_;
    held_ = held;
    wake_.notify_all();
  }
  // Waits until the gate is open. Returns how often it was held so far, for openSince(). Throws Canceled.
  [[nodiscard]] std::uint64_t waitOpen(const Control& control) {
    std::unique_lock lock(mutex_);
    if (!wake_.wait(lock, control.stop, [&] { return !held_; })) throw Canceled();
    return times_;
  }
  // The same, but no longer than `longest`.
  void waitOpen(const Control& control, std::chrono::milliseconds longest) {
    std::unique_lock lock(mutex_);
    static_cast<void>(wake_.wait_for(lock, control.stop, longest, [&] { return !held_; }));
    control.check();
  }
  [[nodiscard]] bool open() const {
    const std::lock_guard lock(mutex_);
    return !held_;
  }
  [[nodiscard]] bool openSince(std::uint64_t times) const {
    const std::lock_guard lock(mutex_);
    return !held_ && times == times_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::uint64_t times_ = 0;
  bool held_ = false;
};

}  // namespace sscope
