#pragma once
// How fast an engine's clock runs at a moment.

#include <optional>
#include <string>
#include <vector>

namespace sscope {

struct ClockReading {
  double megahertz = 0;
  double memoryMegahertz = 0;       // 0: unknown
  std::vector<std::string> limits;  // what keeps the clock down, as the driver says: "power cap"; empty: nothing known
};

// Of one row of a benchmark: read while its runs are under way, once in each turn.
struct RowClock {
  double first = 0, last = 0, lowest = 0;  // MHz
  double highest = 0;                      // of all rows on this engine that took turns
  double memory = 0;                       // MHz, at the end; 0: unknown
  std::vector<std::string> limits;         // of all readings
  // By more than what readings vary by: the row's times are too long, or other rows' too short to compare.
  [[nodiscard]] bool fell() const { return lowest < 0.95 * highest; }
};

// Empty without readings; `highest` is that of these.
[[nodiscard]] std::optional<RowClock> rowClock(const std::vector<ClockReading>& readings);

}  // namespace sscope
