#pragma once
// bench --input with a gauge configuration: lattice workloads on its links.

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/setup/setup.h"
#include "core/base/control.h"
#include "core/measure/kernel_trace.h"
#include "core/measure/measurement.h"
#include "core/options/option.h"
#include "core/volume/volume.h"
#include "core/workload/catalog.h"
#include "core/workload/workload.h"

namespace sscope::cli {

// Whether this is a lattice workload.
[[nodiscard]] bool takesConfiguration(const WorkloadKind& kind);
// The file's links and a noise field.
struct WorkloadOnFile {
  Volume input;
  std::unique_ptr<Workload> workload;
  nlohmann::json origin;  // {"configuration": the file's name, "plaquette": its mean}
};
// `values` are complete; `given` are those set by the user. Throws
// Error(Usage) for values that apply only to generated links.
[[nodiscard]] WorkloadOnFile workloadOnFile(const WorkloadKind& kind, const std::filesystem::path& file,
                                            const OptionValues& given, const OptionValues& values,
                                            const Control& control);

// bench --trace: the time of every kernel of the conjugate residual.

// Runs every row with results once more with tracing, and returns the kernel shares as text. The workload must be cr.
[[nodiscard]] std::string traceRows(const Workshop& workshop, const Workload& workload, const ConstArrayView& input,
                                    std::span<const Measurement> results, int threads, std::vector<NamedTrace>& traces,
                                    const Control& control);

}  // namespace sscope::cli
