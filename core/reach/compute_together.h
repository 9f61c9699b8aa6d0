#pragma once
// The limit for work on ranks that only computes: what they do in registers when all of them do at once. Threads that
// share a core share its units, and cores that all work run at lower clocks.

#include "core/engine/engine.h"
#include "core/parts/communicator.h"

namespace sscope::reach {

// Every rank. GFLOP/s of f32 multiply-adds of all together, by the slowest rank's time, the best of a few attempts; the
// same number on all ranks. 0 where a rank's engine is not the processor's. `threads`: 0 for all. Throws Canceled.
[[nodiscard]] double computeTogether(Communicator& communicator, Engine& engine, int threads, const Control& control);

}  // namespace sscope::reach
