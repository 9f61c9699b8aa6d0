#pragma once
// What a run on more ranks than there are would take: the measured time of computing, scaled by the elements of a rank,
// and the messages and sums of a run at the measured rates. A model, not a measurement: it knows neither a network
// between machines, unless its rates were measured over one, nor what others do there.

#include <functional>
#include <optional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/engine/engine.h"
#include "core/parts/communicator.h"
#include "core/reach/scaling.h"

namespace sscope::reach {

// The limits for the work of ranks: what they copy, compute and exchange when all do so at once. All ranks call these.

// GB/s read and written by all together, by the slowest rank's time, the best of a few attempts; the same
// number on all ranks. `threads`: of the processor, 0 for all. Throws Canceled, Error(Device, Memory).
[[nodiscard]] double copyTogether(Communicator& communicator, Engine& engine, int threads, const Control& control);

// GFLOP/s of f32 multiply-adds of all together, by the slowest rank's time, the best of a few attempts; the
// same number on all ranks. 0 where a rank's engine is not the processor's. `threads`: 0 for all. Throws Canceled.
[[nodiscard]] double computeTogether(Communicator& communicator, Engine& engine, int threads, const Control& control);

// How long messages between ranks take, measured.
struct ExchangeRates {
  int ranks = 1;         // that they were measured with
  double latency = 0;    // seconds until a short message is there
  double bandwidth = 0;  // bytes a second that each rank sends, and receives, at once; 0: one rank, nothing is sent
  double sum = 0;        // seconds of a sum over all ranks
};

// All send to the next and receive from the one before at once. By the slowest rank's time, the median of
// several attempts; the same on all ranks. Throws Canceled, Error(Io).
[[nodiscard]] ExchangeRates measureExchange(Communicator& communicator, const Control& control);

// Of the rank that has most to do.
struct RankWork {
  double elements = 0;   // that it computes in a run, halo included
  double exchanges = 0;  // one after the other, of all its messages at once
  double bytes = 0;      // that it sends in all of them
  double sums = 0;
};
// Empty where so many ranks cannot share the work.
using WorkOfRanks = std::function<std::optional<RankWork>(int ranks)>;

// Seconds of a run on so many ranks, from what another number of ranks took. Empty where one of the two cannot be.
[[nodiscard]] std::optional<double> modelSeconds(const RankMeasurement& from, int ranks, const WorkOfRanks& work,
                                                 const ExchangeRates& rates);

struct ModelPoint {
  int ranks = 1, from = 1;  // predicted from the measurement with so many
  double seconds = 0;
  double measured = 0;  // 0: beyond what was measured
  // Of the prediction, relative to what was measured.
  [[nodiscard]] double error() const { return seconds / measured - 1; }
};
// Each measured point but the first from the one before, and 8 to 4096 ranks beyond the last from the last.
[[nodiscard]] std::vector<ModelPoint> modelPoints(const ScalingReport& report, const WorkOfRanks& work,
                                                  const ExchangeRates& rates);

[[nodiscard]] std::string toTable(const ScalingReport& report, const std::vector<ModelPoint>& points,
                                  const ExchangeRates& rates);
[[nodiscard]] nlohmann::json toJson(const ScalingReport& report, const std::vector<ModelPoint>& points,
                                    const ExchangeRates& rates);

}  // namespace sscope::reach
