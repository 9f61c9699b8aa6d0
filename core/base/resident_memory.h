#pragma once
// How much memory this process has.

#include <cstdint>

namespace sscope {

// Bytes that are in memory now, and the most that ever were since it started; of everything, shared libraries included.
// 0 where the system does not say.
[[nodiscard]] std::int64_t residentMemory();
[[nodiscard]] std::int64_t peakResidentMemory();

}  // namespace sscope
