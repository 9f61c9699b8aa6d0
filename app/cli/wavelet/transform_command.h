#pragma once
// Shared by `sscope dwt` and `sscope magic`.

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/batch.h"
#include "app/cli/program.h"
#include "core/wavelet/job/transform_job.h"

namespace sscope::cli {

struct TransformOptions {
  Batch batch;
  std::string json;
  EngineChoice where;
};

// IN..., -o, --format, --compress, --engine, --variant, --threads, --verify, --json.
void addTransformOptions(CLI::App& command, TransformOptions& options);
// Engines and readers; throws Error(Usage) for engines and variants that do not exist.
[[nodiscard]] Workshop workshopFor(const TransformOptions& options, const std::string& workload);

// An input file and its output.
struct TransformFile {
  std::string in, out;
  LoadedVolume loaded;
  ElementType type = ElementType::f32;  // of the volume that was read, which may have been freed
  bool finite = false;                  // whether all its values are finite
};
// Reads `in`. Throws before any computation if `out` cannot hold the result's type or components.
[[nodiscard]] TransformFile readInput(Program& program, Workshop& workshop, const TransformOptions& options,
                                      const std::string& in, const std::string& out,
                                      ElementType (*resultType)(ElementType));
// Writes the output with the input's metadata and, if requested, the report with the common entries added. `remark`: a
// comment on the time in the summary line; may be empty.
void finish(Program& program, Workshop& workshop, const TransformOptions& options, const TransformFile& file,
            const Volume& output, const RunReport& report, const std::optional<Verification>& verification,
            nlohmann::json object, const std::string& remark = {});

}  // namespace sscope::cli
