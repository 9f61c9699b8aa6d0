#pragma once
// Other load on the processor during a timing: other programs, and time that a hypervisor gave to other machines. Both
// lengthen a sample.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace sscope {

struct OtherLoad {
  double seconds = 0;      // of wall time, between the two readings
  double otherCores = 0;   // cores that were busy with other programs, on average
  double stolenCores = 0;  // cores that the hypervisor withheld
  bool known = false;      // false: the system does not report it, or too little time passed
  // Whether it is so much that the sample must be marked.
  [[nodiscard]] bool disturbs() const;
};

// The samples of a row that were taken beside so much.
struct SamplesBeside {
  std::size_t count = 0;
  double otherCores = 0, stolenCores = 0;  // the most of both, on average over a fifth of a second or more
  void add(const OtherLoad& load);
  // "2 of 7 repetitions beside other work, 1.5 cores of other programs"; empty where there is none.
  [[nodiscard]] std::string text(std::size_t all) const;
};

class OtherLoadWatch {
 public:
  // `file` is /proc/stat, `ownSeconds` this program's processor time and `clock` a steady one, except in tests.
  explicit OtherLoadWatch(std::filesystem::path file = "/proc/stat", std::function<double()> ownSeconds = {},
                          std::function<double()> clock = {});

  // Starts the interval.
  void start();
  // Since start(). Unknown for less than kShortest, since the system counts in ticks of 10 ms.
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
