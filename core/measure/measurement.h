#pragma once
// Many runs of one variant on one engine: times, rates, and the verification.

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/statistics.h"
#include "core/engine/engine.h"
#include "core/engine/run_report.h"
#include "core/measure/cpu_time.h"
#include "core/measure/machine.h"
#include "core/measure/perf_counters.h"
#include "core/measure/verify.h"
#include "core/workload/workload.h"

namespace sscope {

struct Measurement {
  std::string workload;  // "filter"
  std::string variant;   // as requested: "auto"
  std::string twinOf;    // not empty: this row is that variant's memory-only twin, timed but without a result to verify
  std::string ran;       // what actually ran: "separable"
  std::string engine;    // "cpu:avx512"
  std::string engineName;
  EngineKind engineKind = EngineKind::Cpu;     // of an available engine
  std::array<std::int64_t, 3> shape{0, 0, 0};  // voxels of the first input, x y z
  nlohmann::json params = nlohmann::json::object();
  std::set<std::string> searched;        // names in params whose values tuning chose (core/measure/tune.h)
  std::string input;                     // element type of the first input
  Precision precision = Precision::f32;  // of the arithmetic
  std::string lowerPrecision;            // not empty: a lower-precision extra, and which precision
  int threads = 1;

  // Seconds of every repetition, in order: device kernel time on devices, wall time elsewhere.
  std::vector<double> samples;
  int batch = 1;                  // number of runs whose mean is a sample
  Phases phases;                  // medians over the repetitions; compile: once
  double operations = 0;          // counted work for the variant's method
  double executedOperations = 0;  // 0: the same as counted
  double bytes = 0;               // compulsory
  double predictedSeconds = 0;    // see RunReport::predictedSeconds
  std::string caches;             // state of the caches before each repetition
  Verification verification;
  std::map<std::string, double> launch;  // see RunReport::launch
  PerfCounts counters;                   // hardware counters of one run, or why there are none; CPU engines only
  std::optional<double> stolen;   // share of processor time taken by a hypervisor during the runs, 0..1; empty: unknown
  SamplesBeside beside;           // load of other programs or virtual machines
  std::optional<RowClock> clock;  // empty: not reported
  bool approximate = false;       // a peer whose result differs from ours by more than rounding
  bool otherFilter = false;       // it computes another filter by definition
  std::optional<Ceilings> ceilings;
  std::string ceilingsOf;  // the engine whose ceilings these are, if different (peers)

  std::string skipped;  // not empty: why it could not run; then there are no results
  std::string failed;   // not empty: how it failed, or what was wrong with its output; then there are no results

  // Copies the report of a run; `counted` is used if it reports no work.
  void take(const RunReport& report, const Work& counted);
  // Results exist only for outputs that were checked in the same run.
  [[nodiscard]] bool hasFigures() const { return skipped.empty() && failed.empty() && !samples.empty(); }
  // More than 1 % of the processor's time was stolen: the timings are too long.
  [[nodiscard]] bool disturbed() const { return stolen && !(*stolen <= 0.01); }
  // Whether no cache holds its buffers before a repetition.
  [[nodiscard]] bool coldCaches() const { return caches.starts_with("cold") || caches.starts_with("data larger"); }
  [[nodiscard]] Spread spread() const { return spreadOf(samples); }
  [[nodiscard]] double gflops() const;
  [[nodiscard]] double gbs() const;
  [[nodiscard]] bool ofIntegers() const { return input.starts_with('u') || input.starts_with('i'); }
  // The counted operations, or fewer if the variant executes fewer: the number to compare with the ceilings.
  [[nodiscard]] double leastOperations() const {
    return executedOperations > 0 ? std::min(operations, executedOperations) : operations;
  }
  // Share of min(peak, intensity * bandwidth), 0..1; empty without ceilings.
  [[nodiscard]] std::optional<double> share() const;
};

// "approximate", "another filter", or empty.
[[nodiscard]] std::string definitionOf(const Measurement& measurement);
// Its error against the reference: "0 (equal)", "1.2e-07 (approximate)".
[[nodiscard]] std::string errorText(const Measurement& measurement);
// Its share of the roof: "45.6 %", "unknown".
[[nodiscard]] std::string shareText(const Measurement& measurement);
// Hardware events of one run, in millions, in the order of hardwareEvents(); "-" for what the machine does not count.
[[nodiscard]] std::vector<std::string> eventTexts(const Measurement& measurement);
// Whether the ratio of their times is meaningful: not if exactly one of them is another library and both ran on the
// processor with different numbers of threads.
[[nodiscard]] bool areComparable(const Measurement& a, const Measurement& b);

// The parameters without those that tuning chose; they identify a row.
[[nodiscard]] nlohmann::json givenParameters(const Measurement& measurement);
// The variant's name for display, with the precision of lower-precision extras: "tuned-f32 [float32]".
[[nodiscard]] std::string labelOf(const Measurement& measurement);
// The description of a workload on an engine before it runs. An empty variant means the engine's default.
[[nodiscard]] Measurement describe(const Workload& workload, const std::string& engine, const std::string& variant);
// The measurement of a single run. `samples` holds only its kernel time.
[[nodiscard]] Measurement measurementOf(const Workload& workload, const EngineInfo& engine, const std::string& variant,
                                        const RunReport& report, const Verification& verification);

struct BenchReport {
  Machine machine;
  std::vector<EngineInfo> devices;
  std::vector<Measurement> results;
  std::vector<std::string> notes{};  // sentences about the whole report, such as why a size was chosen
  std::string stopped{};             // "stopped after 24 of 60 rows"; empty: it ran to its end
};

// schema "stencilscope.bench/1" (docs/manual/measurement.md); numbers in full precision.
[[nodiscard]] nlohmann::json toJson(const Measurement& measurement);
[[nodiscard]] nlohmann::json toJson(const BenchReport& report);
[[nodiscard]] nlohmann::json toJson(const Machine& machine);
[[nodiscard]] nlohmann::json toJson(const Phases& phases);
[[nodiscard]] nlohmann::json toJson(const Ceilings& ceilings);
[[nodiscard]] nlohmann::json toJson(const RowClock& clock);
// One line per result with the same columns; samples are separated by semicolons.
[[nodiscard]] std::string toCsv(const BenchReport& report);
// One self-contained page: the ladders' redrawn figures with the published numbers next to ours, charts of the medians,
// every row, the machine, its ceilings, and how it was verified (core/report).
[[nodiscard]] std::string toHtml(const BenchReport& report);

// A text table: engine, variant, milliseconds, GFLOP/s, share of the ceiling, error, and for each peer (other library)
// a column with the speed-up over it.
[[nodiscard]] std::string toTable(const std::vector<Measurement>& results);

// Explains a row that is faster than its ceiling: the ceiling that its median surpasses, and the one to compare it with
// or that there is none, as one line without a period; empty for rows that surpass none or have no results.
[[nodiscard]] std::string surpassedText(const Measurement& measurement);

}  // namespace sscope
