#pragma once
// bench --input with a gauge configuration: lattice workloads on its links.

#include <filesystem>

#include "app/cli/bench/bench_case.h"

namespace sscope::cli {

// Whether it is a lattice workload.
[[nodiscard]] bool takesConfiguration(const WorkloadKind& kind);
// Uses the file's links and a noise field. `values` are complete; `given` are those set by the user. Throws
// Error(Usage) for values that apply only to generated links.
void takeConfiguration(BenchCase& result, const WorkloadKind& kind, const std::filesystem::path& file,
                       const OptionValues& given, const OptionValues& values, const Control& control);

}  // namespace sscope::cli
