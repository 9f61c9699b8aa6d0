#pragma once
// Code that `sscope dwt` and `sscope magic` share.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/cli/command_files.h"
#include "app/cli/program.h"
#include "app/cli/streaming.h"
#include "core/volume/provenance.h"
#include "core/volume/volume.h"
#include "core/wavelet/job/transform_job.h"

namespace sscope::cli {

struct TransformOptions {
  Batch batch;
  std::string json;
  EngineChoice where;
  std::int64_t memory = 0;  // bytes that the process may have resident; 0: two thirds of the free memory, if known
};

// IN..., -o, --format, --compress, --engine, --variant, --threads, --memory, --verify, --json.
void addTransformOptions(CLI::App& command, TransformOptions& options);
// Engines and readers; throws Error(Usage) for engines and variants that do not exist.
[[nodiscard]] Workshop workshopFor(const TransformOptions& options, const std::string& workload);

// The options of a transform that affect values, by their names, for the provenance of its output.
struct TransformRecipe {
  std::string command;  // "dwt forward"
  nlohmann::json options;
};
// The record of an output, as far as it is known before the run.
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
// The outcome of a file.
struct TransformOutcome {
  std::string in, out;
  ElementType from = ElementType::f32;  // of the input
  VolumeOutline output;
  RunReport report;
  std::optional<Verification> verification;
  std::int64_t nonFiniteInput = 0, nonFinite = 0;  // elements of the input and the output that are NaN or infinite
  std::optional<Streaming> streaming;
};
// After the file is written: prints notes and the summary line with `remark`, a comment on the time that may be empty,
// and writes the report, if requested, with the common entries added.
void tellOutcome(Program& program, const TransformOptions& options, const TransformOutcome& outcome,
                 nlohmann::json object, const std::string& remark = {});

// Writes the output with the input's metadata, and prints the outcome.
void finish(Program& program, Workshop& workshop, const TransformOptions& options, const TransformFile& file,
            const Volume& output, const RunReport& report, const std::optional<Verification>& verification,
            nlohmann::json object, const std::string& remark = {});

// Recipes for the provenance of outputs, the same for one process and for several ranks.

struct DwtRecipe {
  std::string direction, wavelet, convention, boundary;
  std::int64_t levels = 1, dimensions = 0;
  std::vector<std::int64_t> size{};  // to which the inverse crops; empty: not given
};
[[nodiscard]] TransformRecipe dwtRecipe(const DwtRecipe& recipe);

// `taps`: those of a file, else empty.
[[nodiscard]] TransformRecipe magicRecipe(const std::string& direction, const std::string& boundary, std::int64_t order,
                                          const std::vector<double>& taps, bool kinetic);

// The option --size of the inverse wavelet transform. Only axes of one sample may be omitted, because cropping an axis
// must be explicit. Empty for an empty list. Throws Error(Usage).
[[nodiscard]] std::optional<std::array<std::int64_t, 3>> cropOf(const std::vector<std::int64_t>& size,
                                                                const VolumeShape& shape);

}  // namespace sscope::cli
