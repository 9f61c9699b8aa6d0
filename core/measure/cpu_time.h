#pragma once
// The processor's time as the system counts it in /proc/stat: how busy the cores are, the share that a hypervisor
// withheld, and the load of other programs.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sscope {

// In ticks (sysconf(_SC_CLK_TCK)) since the start of the system.
struct CpuTicks {
  std::uint64_t busy = 0;  // of programs, guests included, and of the kernel
  std::uint64_t idle = 0;  // with and without waiting for disks
  std::optional<std::uint64_t>
      stolen;  // by a hypervisor, for other guests: neither busy nor idle; not all kernels report it
};

struct ProcStat {
  CpuTicks all;                 // the sum of all cores
  std::vector<CpuTicks> cores;  // in the system's order
};

// `file` is /proc/stat except in tests. Empty if it cannot be read.
[[nodiscard]] std::optional<ProcStat> readProcStat(const std::filesystem::path& file);

// How busy the processor's cores are, from the system's counters. Busy is not utilization: a core waiting for memory is
// busy, too.

struct CpuBusy {
  std::vector<double> percent;  // per core, 0..100, in the system's order
  double overall = 0;           // mean of the cores, 0..100
  std::string unavailable;      // not empty: why there is no value; never shown as 0
};

// Busy share between two readings of /proc/stat.
class CpuBusySampler {
 public:
  // `file` is /proc/stat except in tests.
  explicit CpuBusySampler(std::filesystem::path file = "/proc/stat");

  // The busy share since the previous call. The first call is unavailable, as are calls closer together than the
  // system's tick (10 ms).
  [[nodiscard]] CpuBusy sample();

 private:
  std::filesystem::path file_;
  std::vector<CpuTicks> before_;
};

// The share of a virtual machine's processor time that the hypervisor gave to others, which lengthens timings.

// Counts from its construction.
class StolenTime {
 public:
  // `file` is /proc/stat except in tests.
  explicit StolenTime(std::filesystem::path file = "/proc/stat");

  // Share of the time of all cores, 0..1; empty if the system does not report it, or before its first tick (10 ms).
  [[nodiscard]] std::optional<double> share() const;

 private:
  std::filesystem::path file_;
  std::optional<ProcStat> begin_;
};

// Other load on the processor during a timing: other programs, and time that a hypervisor gave to other machines. Both
// lengthen a sample.

struct OtherLoad {
  double seconds = 0;      // of wall time, between the two readings
  double otherCores = 0;   // cores that were busy with other programs, on average
  double stolenCores = 0;  // cores that the hypervisor withheld
  bool known = false;      // false: the system does not report it, or too little time passed
  // Whether the load is so high that the sample must be marked.
  [[nodiscard]] bool disturbs() const;
};

// The samples of a row that were taken beside such a load.
struct SamplesBeside {
  std::size_t count = 0;
  double otherCores = 0, stolenCores = 0;  // the maximum of each, averaged over a fifth of a second or more
  void add(const OtherLoad& load);
  // "2 of 7 repetitions beside other work, 1.5 cores of other programs"; empty if there is none.
  [[nodiscard]] std::string text(std::size_t all) const;
};

class OtherLoadWatch {
 public:
  // `file` is /proc/stat, `ownSeconds` this program's processor time and `clock` a steady one, except in tests.
  explicit OtherLoadWatch(std::filesystem::path file = "/proc/stat", std::function<double()> ownSeconds = {},
                          std::function<double()> clock = {});

  // Starts the interval.
  void start();
  // The load since start(). Unknown for less than kShortest, because the system counts in ticks of 10 ms.
  [[nodiscard]] OtherLoad sinceStart() const;

  static constexpr double kShortest = 0.2;  // seconds

 private:
  struct Reading {
    double busy = 0, stolen = 0;  // seconds of all cores together since the system started
    double own = 0;
    double at = 0;  // seconds of a steady clock
    bool good = false;
  };
  [[nodiscard]] Reading read() const;

  std::filesystem::path file_;
  std::function<double()> ownSeconds_, clock_;
  Reading start_;
};

}  // namespace sscope
