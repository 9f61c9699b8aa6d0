#pragma once
// How much memory the machine can still give.

#include <cstddef>
#include <cstdint>

namespace sscope {

// Bytes of memory the machine can still give (MemAvailable), 0 when unknown.
[[nodiscard]] std::int64_t availableMemory();
// False when so many more bytes are known not to fit.
[[nodiscard]] bool fitsInMemory(std::int64_t bytes);
// Throws Error(Memory) when they do not.
void requireMemory(std::int64_t bytes);

// Memory aligned for every vector, not written to; null when there is none. What is large lies on large pages where the
// system offers them: far fewer page faults when it is first written, and far fewer misses when rows of many planes are
// read at once. For std::free.
[[nodiscard]] void* allocateAligned(std::size_t bytes);

}  // namespace sscope
