#pragma once
// Measurements of the same work on more and more ranks (strong scaling), or of as much more work (weak scaling).

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/reach/rank_share.h"

namespace sscope::reach {

struct RankBenchOptions {
  int repetitions = 7;         // at least so many
  double seconds = 0.3;        // repeated for at least this long
  double batchSeconds = 0.02;  // a sample of shorter runs is the mean of as many as take this long: ranks leave a
                               // barrier up to a millisecond apart
  VerifyOptions verify;
};

struct RankMeasurement {
  int ranks = 1;
  int devices = 0;                   // shared by the ranks; 0: they compute on processors
  int batch = 1;                     // number of runs whose mean is a sample
  std::vector<double> samples;       // seconds of a run, of the slowest rank
  double exchange = 0, compute = 0;  // medians of the maximum over all ranks
  ShareFacts facts;                  // of the first rank; messages, bytes and `computed` are the maximum over all ranks
  Verification verification;         // the worst of all ranks
  double copyGbs = 0;                // all ranks copying at once (copyTogether); 0: not measured
  double arithmeticGflops = 0;       // all ranks computing in registers at once (computeTogether); 0: not measured
  // Median seconds of one process with as many threads as these ranks have together; 0: not measured.
  double threadsSeconds = 0;
};

// Called by all ranks; all get the same result. Throws Error(Device) on all if the output of one is wrong, and as
// RankShare::run().
[[nodiscard]] RankMeasurement benchShare(Communicator& communicator, RankShare& share, const RankBenchOptions& options,
                                         const Control& control);

// Measurements of the same work on more and more ranks (strong scaling), or of as much more work (weak scaling).

enum class Scaling : std::uint8_t { Strong, Weak };
[[nodiscard]] std::string_view toString(Scaling scaling);

struct ScalingReport {
  Scaling scaling = Scaling::Strong;
  std::string workload, title;
  std::vector<std::string> machines;    // of the ranks, in their order
  std::vector<RankMeasurement> points;  // by number of ranks, ascending
  std::string stopped{};                // "stopped after 2 of 4 rows"; empty: it ran to its end
};

// The time of the first point divided by that of `point`; for weak scaling, times for the same amount of work.
[[nodiscard]] double speedUp(const ScalingReport& report, const RankMeasurement& point);
// The speed-up divided by the factor by which the number of ranks grew: 0..1, or more if caches help.
[[nodiscard]] double efficiency(const ScalingReport& report, const RankMeasurement& point);
// The share of the time that the compulsory bytes take at the bandwidth of all ranks together, 0..1; 0: not measured.
[[nodiscard]] double shareOfCopy(const RankMeasurement& point);
// The efficiency of work that only copies: it follows from how the copy rate grows with the ranks, and from the halos
// that they compute in addition; 0: not measured.
[[nodiscard]] double allowedEfficiency(const ScalingReport& report, const RankMeasurement& point);
// The same for work that only computes.
[[nodiscard]] double arithmeticEfficiency(const ScalingReport& report, const RankMeasurement& point);

[[nodiscard]] std::string toTable(const ScalingReport& report);
// schema "stencilscope.scaling/1"; numbers in full precision.
[[nodiscard]] nlohmann::json toJson(const ScalingReport& report);

}  // namespace sscope::reach
