#pragma once
// What ranks have compared with the reference, each its part, as one.

#include "core/measure/verify.h"
#include "core/reach/communicator.h"

namespace sscope::reach {

// Every rank, with a verification that holds: the largest errors of all, and all the elements that were compared. The
// same on all ranks but for the words of the coverage, which are this rank's.
[[nodiscard]] Verification worstOfRanks(const Verification& own, Communicator& ranks, const Control& control);

}  // namespace sscope::reach
