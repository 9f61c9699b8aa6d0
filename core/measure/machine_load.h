#pragma once
// The load of this machine's processor and memory by all programs together.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/measure/cpu_time.h"

namespace sscope {

// A value, or the reason why there is none; never shown as 0.
struct LoadFigure {
  double value = 0;
  std::string unavailable{};  // not empty: why
};

struct MachineLoad {
  CpuBusy cores;
  LoadFigure memoryBytes;          // in use: total minus available
  double memoryTotal = 0;          // bytes; 0: unknown
  LoadFigure megahertz;            // the mean of all cores
  double lowest = 0, highest = 0;  // of them
  LoadFigure watts;                // of the processor's packages, mean since the previous reading
};

// The files of the system; tests use other paths.
struct LoadFiles {
  std::filesystem::path stat = "/proc/stat", memory = "/proc/meminfo";
  std::filesystem::path processors = "/sys/devices/system/cpu", power = "/sys/class/powercap";
};

class MachineLoadSampler {
 public:
  explicit MachineLoadSampler(LoadFiles files = {});
  // Takes a millisecond or two. Shares of time and watts are means since the previous call, and unavailable in the
  // first.
  [[nodiscard]] MachineLoad sample() { return sample(std::chrono::steady_clock::now()); }
  // The reading at a given time, for tests.
  [[nodiscard]] MachineLoad sample(std::chrono::steady_clock::time_point now);

 private:
  void readMemory(MachineLoad& load) const;
  void readClocks(MachineLoad& load) const;
  void readPower(MachineLoad& load, std::chrono::steady_clock::time_point now);

  LoadFiles files_;
  CpuBusySampler cores_;
  std::map<std::filesystem::path, double> joules_;  // of each package in the previous reading
  std::chrono::steady_clock::time_point before_;
};

}  // namespace sscope
