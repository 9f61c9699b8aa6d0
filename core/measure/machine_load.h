#pragma once
// What the processor and the memory of this machine do at a moment, of all programs together.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/measure/cpu_time.h"

namespace sscope {

// A figure, or why there is none: never shown as 0.
struct LoadFigure {
  double value = 0;
  std::string unavailable{};  // not empty: why
};

struct MachineLoad {
  CpuBusy cores;
  LoadFigure memoryBytes;          // in use: all but what is available
  double memoryTotal = 0;          // bytes; 0: unknown
  LoadFigure megahertz;            // the mean of all cores
  double lowest = 0, highest = 0;  // of them
  LoadFigure watts;                // of the processor's packages, mean since the reading before
};

// Where the system tells; tests use other paths.
struct LoadFiles {
  std::filesystem::path stat = "/proc/stat", memory = "/proc/meminfo";
  std::filesystem::path processors = "/sys/devices/system/cpu", power = "/sys/class/powercap";
};

class MachineLoadSampler {
 public:
  explicit MachineLoadSampler(LoadFiles files = {});
  // Takes a millisecond or two. Shares of time and watts are means since the call before, and unavailable in the first.
  [[nodiscard]] MachineLoad sample() { return sample(std::chrono::steady_clock::now()); }
  // At this time, for tests.
  [[nodiscard]] MachineLoad sample(std::chrono::steady_clock::time_point now);

 private:
  void readMemory(MachineLoad& load) const;
  void readClocks(MachineLoad& load) const;
  void readPower(MachineLoad& load, std::chrono::steady_clock::time_point now);

  LoadFiles files_;
  CpuBusySampler cores_;
  std::map<std::filesystem::path, double> joules_;  // of each package in the reading before
  std::chrono::steady_clock::time_point before_;
};

}  // namespace sscope
