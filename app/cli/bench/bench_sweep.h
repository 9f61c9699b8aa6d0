#pragma once
// `sscope bench --sweep`: a ladder point by point.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/cli/bench/bench_rows.h"
#include "app/setup/setup.h"
#include "core/measure/bench.h"

namespace sscope::cli {

struct SweepOptions {
  std::string workload;
  std::vector<std::int64_t> shape;      // empty: chosen
  std::vector<std::string> parameters;  // "key=value"
  BenchChoice which;
  bool everyPoint = false;
  bool tune = false;  // first tune rows that were never tuned on their device
  BenchOptions how;   // except for the threads, which are a parameter
  std::string over;   // an option to sweep; empty: the papers' points
};

// Adds the measurements to the report and tables to the text. A stop keeps the rows of finished points and sets
// BenchReport::stopped; without a finished point it throws Canceled. Throws what makeSweep throws.
// `finished` (may be empty) sees every row when its point ends.
void addSweep(const Workshop& workshop, const SweepOptions& options, BenchReport& report, std::string& text,
              const Control& control, const std::function<void(const Measurement&)>& finished);

}  // namespace sscope::cli
