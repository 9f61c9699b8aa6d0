#pragma once

namespace sscope::cpu {

// The number of threads for a request: all of the processor's for 0, never more than it has.
[[nodiscard]] int threadCount(int requested);

}  // namespace sscope::cpu
