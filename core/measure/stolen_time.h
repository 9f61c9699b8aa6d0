#pragma once
// The share of a virtual machine's processor time that the host gave to others, which lengthens timings.

#include <filesystem>
#include <optional>

#include "core/measure/proc_stat.h"

namespace sscope {

// Counts from its construction.
class StolenTime {
 public:
  // `file` is /proc/stat except in tests.
  explicit StolenTime(std::filesystem::path file = "/proc/stat");

  // Share of the time of all cores, 0..1; empty when the system does not report it, or before its first tick (10 ms).
  [[nodiscard]] std::optional<double> share() const;

 private:
  std::filesystem::path file_;
  std::optional<ProcStat> begin_;
};

}  // namespace sscope
