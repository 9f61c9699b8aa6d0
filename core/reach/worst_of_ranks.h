#pragma once
// What ranks have compared with the reference and what values have lost, each rank its part, as one.

#include "core/measure/verify.h"
#include "core/parts/communicator.h"
#include "core/volume/losses.h"

namespace sscope::reach {

// Every rank, with what it found of as many outputs: all together (core/measure/judged_parts.h). The same on all ranks
// but for words of a coverage that does not count.
[[nodiscard]] Verification worstOfRanks(const Verification& own, Communicator& ranks, const Control& control);

// Every rank: the sums of what the values of all have lost, each those of its part.
[[nodiscard]] ResultLosses ofAllRanks(const ResultLosses& own, Communicator& ranks, const Control& control);

}  // namespace sscope::reach
