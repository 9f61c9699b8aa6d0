#pragma once
// Shared by `sscope dwt` and `sscope magic`.

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "app/cli/batch.h"
#include "app/cli/program.h"
#include "app/cli/streaming.h"
#include "core/volume/provenance.h"
#include "core/wavelet/job/transform_job.h"

namespace sscope::cli {

struct TransformOptions {
  Batch batch;
  std::string json;
  EngineChoice where;
  std::int64_t memory = 0;  // bytes that the process may have resident; 0: two thirds of what is free, where known
};

// IN..., -o, --format, --compress, --engine, --variant, --threads, --memory, --verify, --json.
void addTransformOptions(CLI::App& command, TransformOptions& options);
// Engines and readers; throws Error(Usage) for engines and variants that do not exist.
[[nodiscard]] Workshop workshopFor(const TransformOptions& options, const std::string& workload);

// What of a transform changes values, by the names of its options, for the provenance of its output.
struct TransformRecipe {
  std::string command;  // "dwt forward"
  nlohmann::json options;
};
// The record of an output, as far as it is known before anything runs.
[[nodiscard]] Provenance transformProvenance(const EngineSet& engines, const TransformOptions& options,
                                             const TransformRecipe& recipe, const std::string& in,
                                             const VolumeInfo& info);

// An input file and its output.
struct TransformFile {
  std::string in, out;
  LoadedVolume loaded;
  std::string fingerprint;              // of the volume
  TransformRecipe recipe;               // of the caller
  ElementType type = ElementType::f32;  // of the volume that was read, which may have been freed
  std::int64_t nonFinite = 0;           // of its values: NaN or infinite
};
// Reads `in`. Throws before any computation if `out` cannot hold the result's type or components.
[[nodiscard]] TransformFile readInput(Program& program, Workshop& workshop, const TransformOptions& options,
                                      const std::string& in, const std::string& out,
                                      ElementType (*resultType)(ElementType));
// What came of a file.
struct TransformOutcome {
  std::string in, out;
  ElementType from = ElementType::f32;  // of the input
  VolumeOutline output;
  RunReport report;
  std::optional<Verification> verification;
  std::int64_t nonFiniteInput = 0, nonFinite = 0;  // elements of the input and the output that are NaN or infinite
  std::optional<Streaming> streaming;
};
// Once it is written: notes, the summary line with `remark`, a comment on the time that may be empty, and, if
// requested, the report with the common entries added.
void tellOutcome(Program& program, const TransformOptions& options, const TransformOutcome& outcome,
                 nlohmann::json object, const std::string& remark = {});

// Writes the output with the input's metadata, and tells of it.
void finish(Program& program, Workshop& workshop, const TransformOptions& options, const TransformFile& file,
            const Volume& output, const RunReport& report, const std::optional<Verification>& verification,
            nlohmann::json object, const std::string& remark = {});

}  // namespace sscope::cli
