#pragma once
// How much of a virtual machine's processor the host gave to others: time in which timings grow and nobody here is to
// blame.

#include <cstdint>
#include <filesystem>
#include <optional>

namespace sscope {

// Counts from its making on.
class StolenTime {
 public:
  // `file` is /proc/stat; tests name another.
  explicit StolenTime(std::filesystem::path file = "/proc/stat");

  // Of the time of all cores, 0..1; empty where the system does not say, or before its first tick (10 ms).
  [[nodiscard]] std::optional<double> share() const;

 private:
  struct Ticks {
    std::uint64_t stolen = 0, total = 0;
  };
  [[nodiscard]] std::optional<Ticks> read() const;

  std::filesystem::path file_;
  std::optional<Ticks> begin_;
};

}  // namespace sscope
