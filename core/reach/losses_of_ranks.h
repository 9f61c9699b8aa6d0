#pragma once
// What the values of ranks have lost, each those of its part, together.

#include "core/reach/communicator.h"
#include "core/volume/losses.h"

namespace sscope::reach {

// Every rank: the sums over all of them.
[[nodiscard]] ResultLosses ofAllRanks(const ResultLosses& own, Communicator& ranks, const Control& control);

}  // namespace sscope::reach
