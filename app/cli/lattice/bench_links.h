#pragma once
// bench --input with a gauge configuration: lattice workloads on its links.

#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>

#include "core/base/control.h"
#include "core/options/option.h"
#include "core/volume/volume.h"
#include "core/workload/catalog.h"
#include "core/workload/workload.h"

namespace sscope::cli {

// Whether it is a lattice workload.
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

}  // namespace sscope::cli
