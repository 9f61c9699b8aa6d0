#pragma once
// How much memory the machine can still give.

#include <cstdint>

namespace sscope {

// Bytes of memory the machine can still give (MemAvailable), 0 when unknown.
[[nodiscard]] std::int64_t availableMemory();
// Throws Error(Memory) when so many more bytes are known not to fit.
void requireMemory(std::int64_t bytes);

}  // namespace sscope
