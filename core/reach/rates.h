#pragma once
// What ranks copy, compute and exchange when all of them do at once: the limits for their work.

#include "core/engine/engine.h"
#include "core/parts/communicator.h"

namespace sscope::reach {

// Every rank. GB/s read and written by all together, by the slowest rank's time, the best of a few attempts; the same
// number on all ranks. `threads`: of the processor, 0 for all. Throws Canceled, Error(Device, Memory).
[[nodiscard]] double copyTogether(Communicator& communicator, Engine& engine, int threads, const Control& control);

// Every rank. GFLOP/s of f32 multiply-adds of all together, by the slowest rank's time, the best of a few attempts; the
// same number on all ranks. 0 where a rank's engine is not the processor's. `threads`: 0 for all. Throws Canceled.
[[nodiscard]] double computeTogether(Communicator& communicator, Engine& engine, int threads, const Control& control);

// How long messages between ranks take, measured.
struct ExchangeRates {
  int ranks = 1;         // that they were measured with
  double latency = 0;    // seconds until a short message is there
  double bandwidth = 0;  // bytes a second that each rank sends, and receives, at once; 0: one rank, nothing is sent
  double sum = 0;        // seconds of a sum over all ranks
};

// Every rank: all send to the next and receive from the one before at once. By the slowest rank's time, the median of
// several attempts; the same on all ranks. Throws Canceled, Error(Io).
[[nodiscard]] ExchangeRates measureExchange(Communicator& communicator, const Control& control);

}  // namespace sscope::reach
