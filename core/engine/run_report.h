#pragma once
// What one run cost and who really did it.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sscope {

// Seconds per phase. `total` is wall time from call to result and may exceed the sum.
struct Phases {
  double compile = 0;  // once per plan; 0 on later runs
  double upload = 0;
  double kernel = 0;  // device events on GPUs
  double download = 0;
  double total = 0;
};

struct RunReport {
  std::string engine;       // "cpu:avx512": what really ran
  std::string variant;      // "separable"; a bank may say "dense+separable"
  std::string why;          // how the variant was chosen, or why it is not the one asked for; may be empty
  bool writtenOut = false;  // every filter was summed over its whole box of taps at once (Workload::writtenOut)
  int threads = 1;
  Phases phases;
  double operations = 0;          // counted work (Workload::work or workAs)
  double executedOperations = 0;  // what the variant really executes, when it differs; else 0
  double bytes = 0;               // compulsory bytes
  // Figures of the launch for the curious, by name: "registers", "occupancy", "tiling factor".
  std::map<std::string, double> launch;
  int tiles = 1;                        // pieces along z the run was split into to fit the device's memory
  std::vector<std::int64_t> saturated;  // per output: elements that left the output type's range
};

}  // namespace sscope
