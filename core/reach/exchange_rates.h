#pragma once
// How long messages between ranks take, measured.

#include "core/parts/communicator.h"

namespace sscope::reach {

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
