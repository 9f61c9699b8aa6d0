#pragma once
// How busy the processor's cores are, from the system's counters. Busy is not utilization: a core waiting for memory is
// busy, too.

#include <filesystem>
#include <string>
#include <vector>

#include "core/measure/proc_stat.h"

namespace sscope {

struct CpuBusy {
  std::vector<double> percent;  // per core, 0..100, in the system's order
  double overall = 0;           // mean of the cores, 0..100
  std::string unavailable;      // not empty: why there is no figure; never shown as 0
};

// Busy share between two readings of /proc/stat.
class CpuBusySampler {
 public:
  // `file` is /proc/stat except in tests.
  explicit CpuBusySampler(std::filesystem::path file = "/proc/stat");

  // Since the previous call; the first call only sets the start and is unavailable, as are calls closer together than
  // the system's tick (10 ms).
  [[nodiscard]] CpuBusy sample();

 private:
  std::filesystem::path file_;
  std::vector<CpuTicks> before_;
};

}  // namespace sscope
