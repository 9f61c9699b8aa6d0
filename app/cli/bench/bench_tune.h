#pragma once
// `sscope bench --tune`: tiles found by a short search before the race.

#include <string>
#include <vector>

#include "app/setup.h"
#include "core/measure/bench.h"

namespace sscope::cli {

// Searches for every row whose variant has tiles to choose, and gives the row what was found. A line a row for people.
// Throws Canceled.
[[nodiscard]] std::string tuneRows(const Workshop& workshop, const Workload& workload, const ConstArrayView& input,
                                   std::vector<BenchRow>& rows, int threads, const Control& control);

// A line for every row that takes tiles found by an earlier search.
[[nodiscard]] std::string tunedRows(const Workshop& workshop, const Workload& workload,
                                    const std::vector<BenchRow>& rows);

}  // namespace sscope::cli
