#pragma once
// `sscope bench --tune`: tiles found by a short search before the race.

#include <string>
#include <vector>

#include "app/setup/setup.h"
#include "core/measure/bench.h"

namespace sscope::cli {

// Tunes every row that can be tuned and stores the values found in the row. Returns one line of text per row. Throws
// Canceled.
[[nodiscard]] std::string tuneRows(const Workshop& workshop, const Workload& workload, const ConstArrayView& input,
                                   std::vector<BenchRow>& rows, int threads, const Control& control);

// One line for every row that uses tiles from an earlier search.
[[nodiscard]] std::string tunedRows(const Workshop& workshop, const Workload& workload,
                                    const std::vector<BenchRow>& rows);

}  // namespace sscope::cli
