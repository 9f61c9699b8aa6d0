#pragma once
// What else the processor's cores did while something was timed: work of other programs, and time that a hypervisor
// gave to other machines. Both stretch a sample.

#include <cstdint>
#include <filesystem>
#include <functional>

namespace sscope {

struct OtherLoad {
  double seconds = 0;      // of wall time, between the two readings
  double otherCores = 0;   // cores that were busy with other programs, on average
  double stolenCores = 0;  // cores that the hypervisor withheld
  bool known = false;      // false: the system does not say, or too little time passed
  // More than a sample can bear without being marked.
  [[nodiscard]] bool disturbs() const;
};

class OtherLoadWatch {
 public:
  // `file` is /proc/stat, `ownSeconds` the processor time of this program and its threads; tests hand in others.
  explicit OtherLoadWatch(std::filesystem::path file = "/proc/stat", std::function<double()> ownSeconds = {});

  // From here on.
  void start();
  // Since start(). The system counts in ticks of 10 ms: below kShortest nothing is known.
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
  std::function<double()> ownSeconds_;
  Reading start_;
};

}  // namespace sscope
