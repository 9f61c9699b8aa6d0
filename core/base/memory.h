#pragma once
// How much memory the machine can still give.

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace sscope {

// Where the system says so; tests name other places.
struct MemoryFiles {
  std::filesystem::path machine = "/proc/meminfo";
  std::filesystem::path ownGroups = "/proc/self/cgroup";
  std::filesystem::path groups = "/sys/fs/cgroup";
};

// Bytes of memory that this process can still get: what the machine has (MemAvailable), or less where a control group
// (of a container or of a batch system, versions 1 and 2) allows less to the process. 0 when unknown, 1 when none is
// left.
[[nodiscard]] std::int64_t availableMemory(const MemoryFiles& files = {});
// False when so many more bytes are known not to fit.
[[nodiscard]] bool fitsInMemory(std::int64_t bytes);
// Throws Error(Memory) when they do not.
void requireMemory(std::int64_t bytes);

// Memory aligned for every vector, not written to; null when there is none. What is large lies on large pages where the
// system offers them: far fewer page faults when it is first written, and far fewer misses when rows of many planes are
// read at once. For std::free.
[[nodiscard]] void* allocateAligned(std::size_t bytes);

}  // namespace sscope
