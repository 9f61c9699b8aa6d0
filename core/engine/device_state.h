#pragma once

// What a device reports of itself at a moment: its clock and its load.

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

// How busy a device is at a moment, as its driver tells of all programs together.

struct DeviceLoad {
  std::optional<double> busy;  // percent of the last moments in which a kernel ran, 0..100
  std::optional<double> memoryBytes, memoryTotal;
  std::optional<double> megahertz;  // of the multiprocessors
  std::optional<double> watts;
  std::string unavailable{};  // not empty: why nothing is known
};

}  // namespace sscope
