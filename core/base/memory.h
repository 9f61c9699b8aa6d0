#pragma once

// How much memory is available.

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace sscope {

// Where the system reports memory; tests use other paths.
struct MemoryFiles {
  std::filesystem::path machine = "/proc/meminfo";
  std::filesystem::path ownGroups = "/proc/self/cgroup";
  std::filesystem::path groups = "/sys/fs/cgroup";
};

// Bytes that this process can still allocate: the machine's MemAvailable, or less where a control group (version 1 or
// 2, of a container or batch system) limits the process. 0 when unknown, 1 when none is left.
[[nodiscard]] std::int64_t availableMemory(const MemoryFiles& files = {});
// False when it is known that this many more bytes do not fit.
[[nodiscard]] bool fitsInMemory(std::int64_t bytes);
// Throws Error(Memory) when they do not.
void requireMemory(std::int64_t bytes);

// Uninitialized memory aligned for every vector type; null when there is none. Large blocks use huge pages where the
// system offers them: fewer page faults on first write and fewer TLB misses when rows of many planes are read. Release
// it with std::free.
[[nodiscard]] void* allocateAligned(std::size_t bytes);

// From now on, blocks of a MiB and more that are freed go back to the system at once. Without it the C library keeps up
// to 32 MiB of each thread for later, and slabs that come and go leave hundreds of MiB resident.
void keepNoFreedMemory();

// How much memory this process has.

// Bytes that are in memory now, and the most that ever were since it started; of everything, shared libraries included.
// 0 where the system does not say.
[[nodiscard]] std::int64_t residentMemory();
[[nodiscard]] std::int64_t peakResidentMemory();

}  // namespace sscope
