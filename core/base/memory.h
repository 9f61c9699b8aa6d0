#pragma once
// Memory: how much is available, how much this process has, and how it is allocated.

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
// 2, of a container or batch system) limits the process. 0 if unknown, 1 if none is left.
[[nodiscard]] std::int64_t availableMemory(const MemoryFiles& files = {});
// False if so many more bytes are known not to fit.
[[nodiscard]] bool fitsInMemory(std::int64_t bytes);
// Throws Error(Memory) if they do not.
void requireMemory(std::int64_t bytes);

// Uninitialized memory aligned for every vector type; null if there is none. Large blocks use huge pages where the
// system offers them: fewer page faults on first write and fewer TLB misses when rows of many planes are read. Free it
// with std::free.
[[nodiscard]] void* allocateAligned(std::size_t bytes);

// From now on, freed blocks of a MiB and more go back to the system at once. Without it the C library keeps up to 32
// MiB of each thread for later, and slabs that are allocated and freed leave hundreds of MiB resident.
void keepNoFreedMemory();

// The resident bytes of this process now, and their maximum since its start, including shared libraries. 0 if the
// system does not report them.
[[nodiscard]] std::int64_t residentMemory();
[[nodiscard]] std::int64_t peakResidentMemory();

}  // namespace sscope
