#pragma once
// The system's counters of processor time (/proc/stat).

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace sscope {

// In ticks (sysconf(_SC_CLK_TCK)) since the start of the system.
struct CpuTicks {
  std::uint64_t busy = 0;  // of programs, guests included, and of the kernel
  std::uint64_t idle = 0;  // with and without waiting for disks
  std::optional<std::uint64_t>
      stolen;  // by a hypervisor, for other guests: neither busy nor idle; not all kernels know
};

struct ProcStat {
  CpuTicks all;                 // the sum of all cores
  std::vector<CpuTicks> cores;  // in the system's order
};

// `file` is /proc/stat except in tests. Empty where it cannot be read.
[[nodiscard]] std::optional<ProcStat> readProcStat(const std::filesystem::path& file);

}  // namespace sscope
