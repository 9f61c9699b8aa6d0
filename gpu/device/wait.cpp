#include "gpu/device/wait.h"

#include <chrono>
#include <thread>

#include "core/base/stopwatch.h"

namespace sscope {

void waitFor(DeviceEvent& event, const Control& control) {
  constexpr double kSpinSeconds = 30e-6;  // short commands end before a sleep would
  const Stopwatch waited;
  while (!event.done()) {
    if (waited.seconds() < kSpinSeconds) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }
  control.check();
}

}  // namespace sscope
