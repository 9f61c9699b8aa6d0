#pragma once
// bench --input of a gauge configuration: the workloads on its links.

#include <filesystem>

#include "app/cli/bench/bench_case.h"

namespace sscope::cli {

// Whether the workload is one on a lattice.
[[nodiscard]] bool takesConfiguration(const WorkloadKind& kind);
// The file's links, and noise to apply them to. `given` of the complete `values` are those that the user named. Throws
// Error(Usage) for values that are of links that are made.
void takeConfiguration(BenchCase& result, const WorkloadKind& kind, const std::filesystem::path& file,
                       const OptionValues& given, const OptionValues& values, const Control& control);

}  // namespace sscope::cli
