#pragma once
// What `sscope dwt` and `sscope magic` have in common: each file becomes another one.

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

// One input on its way to its output.
struct TransformFile {
  std::string in, out;
  LoadedVolume loaded;
  ElementType type = ElementType::f32;  // of the volume as it was read, which may be freed meanwhile
  bool finite = false;                  // all of it
};
// Reads `in`, and throws before anything is computed when `out` could not hold the result's type or components.
[[nodiscard]] TransformFile readInput(Program& program, Workshop& workshop, const TransformOptions& options,
                                      const std::string& in, const std::string& out,
                                      ElementType (*resultType)(ElementType));
// Writes the output with what the input's file said besides, and the report where one is asked for, to which what every
// report says is added. `remark`: what the line for people says of the time beside it; may be empty.
void finish(Program& program, Workshop& workshop, const TransformOptions& options, const TransformFile& file,
            const Volume& output, const RunReport& report, const std::optional<Verification>& verification,
            nlohmann::json object, const std::string& remark = {});

}  // namespace sscope::cli
