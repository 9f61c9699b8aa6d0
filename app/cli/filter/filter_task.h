#pragma once
// A bank on a file or sample, to files: what `sscope filter` and `sscope run` have in common.

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/program.h"
#include "core/filter/job/filter_job.h"
#include "core/measure/measurement.h"

namespace sscope::cli {

// Whether the engine of this name (empty: the preferred one, which is a processor's) needs devices to be looked for.
[[nodiscard]] Devices devicesFor(const std::string& engine);

struct FilterTask {
  DataSource source;
  FilterJob job;
  std::string output;                        // file name or pattern with {}; empty: nothing is written
  std::vector<std::string> reports, inputs;  // what else is written and read, so that nothing replaces anything
  bool verify = false;                       // compare with the reference, and write nothing that is wrong
  bool compress = false;
  bool typeIsOpen = false;  // nobody asked for an output type: f32, or the input's where the format cannot hold that
};

struct FilterOutcome {
  Measurement measurement;  // of this one run
  std::optional<Verification> verification;
  RunReport report;
  std::vector<std::string> names;
  std::vector<std::string> files;    // written
  std::vector<std::string> notices;  // of the reader, and about lengths and types
  OutputType output;                 // what was stored
};

// Throws Error and Canceled as reading, filtering and writing do; Error(Device) when the verification fails.
[[nodiscard]] FilterOutcome runTask(Program& program, Workshop& workshop, const FilterTask& task);

[[nodiscard]] nlohmann::json toJson(const Verification& verification);
// ", rel. error 2e-7 (full volume)".
[[nodiscard]] std::string verificationText(const Verification& verification);
[[nodiscard]] nlohmann::json toJson(const FilterTask& task, const FilterOutcome& outcome);
// "ran on cpu:avx512, 2 threads, 12.4 ms kernel, 18.3 ms total".
[[nodiscard]] std::string summary(const FilterOutcome& outcome);

}  // namespace sscope::cli
