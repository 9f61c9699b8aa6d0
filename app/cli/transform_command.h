#pragma once
// What `sscope dwt` and `sscope magic` have in common: one file in, one file out.

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/program.h"
#include "core/job/transform_job.h"

namespace sscope::cli {

struct TransformOptions {
  std::string input, output, json;
  EngineChoice where;
};

// IN, -o, --engine, --variant, --threads, --verify, --json.
void addTransformOptions(CLI::App& command, TransformOptions& options);
// Engines and readers; throws Error(Usage) for engines and variants that do not exist.
[[nodiscard]] Workshop workshopFor(const TransformOptions& options, const std::string& workload);
// Reads IN, and throws before anything is computed when OUT could not hold the result's type or components.
[[nodiscard]] Volume readInput(Program& program, Workshop& workshop, const TransformOptions& options,
                               ElementType (*resultType)(ElementType));
// Writes OUT, and the report where one is asked for, to which what every report says is added.
void finish(Program& program, Workshop& workshop, const TransformOptions& options, const Volume& output,
            const RunReport& report, const std::optional<Verification>& verification, nlohmann::json object);

}  // namespace sscope::cli
