#pragma once
// Many runs of one variant on one engine: what they took, what that is worth, and whether the output was right.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/engine/engine.h"
#include "core/engine/run_report.h"
#include "core/measure/machine.h"
#include "core/measure/perf_counters.h"
#include "core/measure/statistics.h"
#include "core/measure/verify.h"
#include "core/workload/workload.h"

namespace sscope {

struct Measurement {
  std::string workload;  // "filter"
  std::string variant;   // as asked for: "auto"
  std::string twinOf;    // not empty: the memory-only twin of this variant, timed but without a result to verify
  std::string ran;       // what really ran: "separable"
  std::string engine;    // "cpu:avx512"
  std::string engineName;
  std::array<std::int64_t, 3> shape{0, 0, 0};  // voxels of the first input, x y z
  nlohmann::json params = nlohmann::json::object();
  std::set<std::string> searched;        // names in params that nobody gave: a search chose them (core/measure/tune.h)
  std::string input;                     // element type of the first input
  Precision precision = Precision::f32;  // of the arithmetic
  std::string lowerPrecision;            // not empty: an extra of lower precision than the workload's, in words
  int threads = 1;

  // Seconds of every repetition, in order: device kernel time on devices, wall time elsewhere.
  std::vector<double> samples;
  Phases phases;                  // medians over the repetitions; compile: once
  double operations = 0;          // counted work of the variant's method
  double executedOperations = 0;  // 0: as counted
  double bytes = 0;               // compulsory
  std::string caches;             // how the caches were before each repetition
  Verification verification;
  std::map<std::string, double> launch;  // see RunReport::launch
  PerfCounts counters;  // of one run: hardware counters where the kernel gives them, else why not; CPU engines only
  std::optional<double> stolen;  // share of the processor's time that a hypervisor took meanwhile, 0..1; empty: unknown
  bool approximate = false;      // a peer whose own definition of the filter differs from ours by more than rounding
  std::optional<Ceilings> ceilings;
  std::string ceilingsOf;  // the engine they were measured on, when it is another (peers)

  std::string skipped;  // not empty: could not run here, and why; there are no figures then
  std::string failed;   // not empty: broke down or computed something wrong; there are no figures then

  // Takes over what a run says of itself; `counted` stands in where it does not.
  void take(const RunReport& report, const Work& counted);
  // Figures exist only for output that was checked in the same run.
  [[nodiscard]] bool hasFigures() const { return skipped.empty() && failed.empty() && !samples.empty(); }
  // More than 1 % of the processor's time was stolen: the timings are those of a slower machine.
  [[nodiscard]] bool disturbed() const { return stolen && !(*stolen <= 0.01); }
  [[nodiscard]] Spread spread() const { return spreadOf(samples); }
  [[nodiscard]] double gflops() const;
  [[nodiscard]] double gbs() const;
  // Share of min(peak, intensity * bandwidth), 0..1; empty without ceilings.
  [[nodiscard]] std::optional<double> share() const;
};

// The parameters without those that a search chose: what tells one row from another.
[[nodiscard]] nlohmann::json givenParameters(const Measurement& measurement);
// The variant as people read it: extras of lower precision say so, "tuned-f32 [float32]".
[[nodiscard]] std::string labelOf(const Measurement& measurement);
// What a workload on an engine is, before it ran. An empty variant stands for the engine's default.
[[nodiscard]] Measurement describe(const Workload& workload, const std::string& engine, const std::string& variant);
// The one run of a user's job. `samples` holds its kernel time: there are no repetitions to take a median of.
[[nodiscard]] Measurement measurementOf(const Workload& workload, const EngineInfo& engine, const std::string& variant,
                                        const RunReport& report, const Verification& verification);

struct BenchReport {
  Machine machine;
  std::vector<EngineInfo> devices;
  std::vector<Measurement> results;
  std::vector<std::string> notes{};  // sentences about the whole, for people: why a size was chosen
};

// schema "stencilscope.bench/1" (docs/measurement.md); numbers in full precision.
[[nodiscard]] nlohmann::json toJson(const Measurement& measurement);
[[nodiscard]] nlohmann::json toJson(const BenchReport& report);
[[nodiscard]] nlohmann::json toJson(const Machine& machine);
[[nodiscard]] nlohmann::json toJson(const Phases& phases);
[[nodiscard]] nlohmann::json toJson(const Ceilings& ceilings);
// One line per result with the same columns; a list of samples is separated by semicolons.
[[nodiscard]] std::string toCsv(const BenchReport& report);
// One self-contained page: the redrawn figures of the ladders with the published numbers beside ours, charts of the
// medians, every row, the machine, its ceilings, and how it was verified (core/report).
[[nodiscard]] std::string toHtml(const BenchReport& report);

// The lines people read: engine, variant, milliseconds, GFLOP/s, share of the ceiling, error. When some engines
// are peers (other libraries), one more column each: how many times faster than the peer.
[[nodiscard]] std::string toTable(const std::vector<Measurement>& results);

}  // namespace sscope
