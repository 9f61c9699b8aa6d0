#include "core/engine/device_state.h"

#include <algorithm>

namespace sscope {

std::optional<RowClock> rowClock(const std::vector<ClockReading>& readings) {
  if (readings.empty()) return {};
  RowClock clock;
  clock.first = clock.lowest = readings.front().megahertz;
  clock.last = readings.back().megahertz;
  clock.memory = readings.back().memoryMegahertz;
  for (const ClockReading& reading : readings) {
    clock.lowest = std::min(clock.lowest, reading.megahertz);
    clock.highest = std::max(clock.highest, reading.megahertz);
    for (const std::string& limit : reading.limits)
      if (std::find(clock.limits.begin(), clock.limits.end(), limit) == clock.limits.end())
        clock.limits.push_back(limit);
  }
  return clock;
}

}  // namespace sscope
