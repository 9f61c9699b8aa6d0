#pragma once
// What ranks have compared with the reference, each its part, as one.

#include "core/measure/verify.h"
#include "core/reach/communicator.h"

namespace sscope::reach {

// Every rank, with what it found of as many outputs: all together (core/measure/judged_parts.h). The same on all ranks
// but for words of a coverage that does not count.
[[nodiscard]] Verification worstOfRanks(const Verification& own, Communicator& ranks, const Control& control);

}  // namespace sscope::reach
