#pragma once
// A model of a run on more ranks than are available: the measured time of computing, scaled by the elements of a rank,
// and the messages and sums of a run at the measured rates. It includes a network between machines only if its rates
// were measured over one, and no load by other programs.

#include <functional>
#include <optional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/engine/engine.h"
#include "core/parts/communicator.h"
#include "core/reach/scaling.h"

namespace sscope::reach {

// The rates at which all ranks copy, compute and exchange at once: the limits for their work. All ranks call these.

// GB/s read and written by all together, by the slowest rank's time, the best of a few attempts; the same
// number on all ranks. `threads`: of the processor, 0 for all. Throws Canceled, Error(Device, Memory).
[[nodiscard]] double copyTogether(Communicator& communicator, Engine& engine, int threads, const Control& control);

// GFLOP/s of f32 multiply-adds of all together, by the slowest rank's time, the best of a few attempts; the same number
// on all ranks. 0 if a rank's engine is not the processor's. `threads`: 0 for all. Throws Canceled.
[[nodiscard]] double computeTogether(Communicator& communicator, Engine& engine, int threads, const Control& control);

// How long messages between ranks take, measured.
struct ExchangeRates {
  int ranks = 1;         // in the measurement
  double latency = 0;    // seconds of a short message
  double bandwidth = 0;  // bytes per second that each rank sends and receives at once; 0: there is one rank
  double sum = 0;        // seconds of a sum over all ranks
};

// All send to the next rank and receive from the previous one at once. By the slowest rank's time, the median of
// several attempts; the same on all ranks. Throws Canceled, Error(Io).
[[nodiscard]] ExchangeRates measureExchange(Communicator& communicator, const Control& control);

// The work of the rank that has most.
struct RankWork {
  double elements = 0;   // computed in a run, halo included
  double exchanges = 0;  // consecutive exchanges, each of all its messages
  double bytes = 0;      // sent in all exchanges
  double sums = 0;
};
// Empty if this number of ranks cannot share the work.
using WorkOfRanks = std::function<std::optional<RankWork>(int ranks)>;

// Seconds of a run on this number of ranks, from a measurement with another number. Empty if either number cannot share
// the work.
[[nodiscard]] std::optional<double> modelSeconds(const RankMeasurement& from, int ranks, const WorkOfRanks& work,
                                                 const ExchangeRates& rates);

struct ModelPoint {
  int ranks = 1, from = 1;  // predicted from the measurement with `from` ranks
  double seconds = 0;
  double measured = 0;  // 0: beyond what was measured
  // The relative error of the prediction.
  [[nodiscard]] double error() const { return seconds / measured - 1; }
};
// Each measured point except the first is predicted from the previous one, and 8 to 4096 ranks beyond the last point
// from the last.
[[nodiscard]] std::vector<ModelPoint> modelPoints(const ScalingReport& report, const WorkOfRanks& work,
                                                  const ExchangeRates& rates);

[[nodiscard]] std::string toTable(const ScalingReport& report, const std::vector<ModelPoint>& points,
                                  const ExchangeRates& rates);
[[nodiscard]] nlohmann::json toJson(const ScalingReport& report, const std::vector<ModelPoint>& points,
                                    const ExchangeRates& rates);

}  // namespace sscope::reach
