#include "gpu/device/wait.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/base/stopwatch.h"

namespace sscope {

void pauseWaiting(double waited, bool onProcessor) {
  // A sleep takes some 50 us more than asked for. A thread that waits for another device's command has a core to itself
  // and does not sleep before that is little of the time it waits; one that waits for this processor is in its way.
  const double spin = onProcessor ? 30e-6 : 2e-3;
  if (waited < spin) {
    std::this_thread::yield();
  } else {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

void waitFor(DeviceEvent& event, const Control& control) {
  const Stopwatch waited;
  while (!event.done()) pauseWaiting(waited.seconds(), event.onProcessor());
  control.check();
}

}  // namespace sscope
