#pragma once
// The limit for memory-bound work on ranks: what they copy when all of them do at once.

#include "core/engine/engine.h"
#include "core/parts/communicator.h"

namespace sscope::reach {

// Every rank. GB/s read and written by all together, by the slowest rank's time, the best of a few attempts; the same
// number on all ranks. `threads`: of the processor, 0 for all. Throws Canceled, Error(Device, Memory).
[[nodiscard]] double copyTogether(Communicator& communicator, Engine& engine, int threads, const Control& control);

}  // namespace sscope::reach
