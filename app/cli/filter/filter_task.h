#pragma once
// Runs a bank on a file or sample and writes the results, for `sscope filter` and `sscope run`.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/program.h"
#include "app/cli/streaming.h"
#include "core/filter/job/filter_job.h"
#include "core/measure/measurement.h"

namespace sscope::cli {

// Devices::Find if the engine of this name is on a device; an empty name means the preferred CPU engine.
[[nodiscard]] Devices devicesFor(const std::string& engine);

struct FilterTask {
  DataSource source;
  FilterJob job;
  std::string output;                        // file name or pattern with {}; empty: nothing is written
  std::vector<std::string> reports, inputs;  // further files that are written and read, to check for conflicts
  bool verify = false;                       // compare with the reference before writing
  bool compress = false, zarr3 = false;
  bool piped = false;  // the source is a temporary file with piped data
  // Receives all results before they are written; if set, nothing is streamed.
  std::function<void(const FilterResult&, const Volume& input)> look{};
  std::int64_t memory = 0;  // bytes that the process may have resident; 0: two thirds of the free memory, if known
};

struct FilterOutcome {
  Measurement measurement;  // of this one run
  std::optional<Verification> verification;
  RunReport report;
  std::vector<std::string> names;
  std::vector<StepNorms> lastSteps;  // as FilterResult's
  std::vector<std::string> files;    // written
  std::vector<std::string> notices;  // from the reader, and about lengths and types
  OutputType output;                 // what was stored
  std::optional<Streaming> streaming;
};

// Throws Error and Canceled as reading, filtering and writing do; Error(Device) if the verification fails.
[[nodiscard]] FilterOutcome runTask(Program& program, Workshop& workshop, const FilterTask& task);

[[nodiscard]] nlohmann::json toJson(const Verification& verification);
// ", rel. error 2e-7 (full volume)".
[[nodiscard]] std::string verificationText(const Verification& verification);
[[nodiscard]] nlohmann::json toJson(const FilterTask& task, const FilterOutcome& outcome);
// "ran on cpu:avx512, 2 threads, 12.4 ms kernel, 18.3 ms total".
[[nodiscard]] std::string summary(const FilterOutcome& outcome);

}  // namespace sscope::cli
