#pragma once
// `sscope bench job`: a step of a slider from end to end, on every engine.

#include <string>

#include "app/cli/bench/bench_case.h"
#include "app/cli/bench/bench_rows.h"
#include "app/cli/program.h"

namespace sscope::cli {

inline constexpr const char* kJob = "job";

struct JobBenchOptions {
  BenchCaseOptions what;
  BenchChoice which;
  int repetitions = 7;
  bool slicesOnly = false;
  std::string json;  // "-": the standard output
};

// Returns the exit status. Throws Error, also where an engine's result is wrong, after everything was written.
int runJobBench(Program& program, const JobBenchOptions& options);

}  // namespace sscope::cli
