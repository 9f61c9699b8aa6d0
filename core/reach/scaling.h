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
  int devices = 0;                   // that the ranks share; 0: they compute on processors
  int batch = 1;                     // runs that each sample is the mean of
  std::vector<double> samples;       // seconds of a run, of the slowest rank
  double exchange = 0, compute = 0;  // medians, each of the rank that takes longest
  ShareFacts facts;             // of the first rank; messages, bytes and `computed` are those of the rank that has most
  Verification verification;    // the worst of all ranks
  double copyGbs = 0;           // what all ranks copy at once (copyTogether); 0: not measured
  double arithmeticGflops = 0;  // what all ranks compute at once in registers (computeTogether); 0: not measured
  // Median seconds of one process with as many threads as these ranks have together; 0: not measured.
  double threadsSeconds = 0;
};

// Every rank. The same on all of them. Throws Error(Device) on all where the output of one is wrong, and as
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

// Times of the first point over that of `point`; for weak scaling of as much work.
[[nodiscard]] double speedUp(const ScalingReport& report, const RankMeasurement& point);
// 0..1, and more where caches help: the speed-up over how many times as many ranks there are.
[[nodiscard]] double efficiency(const ScalingReport& report, const RankMeasurement& point);
// Of the time that the compulsory bytes take at the bandwidth of all ranks together, 0..1; 0: not measured.
[[nodiscard]] double shareOfCopy(const RankMeasurement& point);
// The efficiency that work has which only copies and computes no more than its own: how the rate at which all ranks
// copy grows with them, and what they compute beside their own; 0: not measured.
[[nodiscard]] double allowedEfficiency(const ScalingReport& report, const RankMeasurement& point);
// The same of work that only computes.
[[nodiscard]] double arithmeticEfficiency(const ScalingReport& report, const RankMeasurement& point);

[[nodiscard]] std::string toTable(const ScalingReport& report);
// schema "stencilscope.scaling/1"; numbers in full precision.
[[nodiscard]] nlohmann::json toJson(const ScalingReport& report);

}  // namespace sscope::reach
