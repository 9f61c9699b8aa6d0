#pragma once

namespace sscope::cpu {

// The threads a request stands for: all of the processor for 0, never more than there are.
[[nodiscard]] int threadCount(int requested);

}  // namespace sscope::cpu
