#include "core/base/memory.h"

#include <sys/mman.h>

#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>

#include "core/base/error.h"

namespace sscope {

namespace {

std::string mebibytes(std::int64_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB"; }

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kLargePage = 2 << 20;

}  // namespace

std::int64_t availableMemory() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  std::int64_t value = 0;
  while (file >> key >> value) {
    if (key == "MemAvailable:") return value * 1024;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return 0;
}

bool fitsInMemory(std::int64_t bytes) {
  const std::int64_t available = availableMemory();
  return available <= 0 || bytes <= available;
}

void requireMemory(std::int64_t needed) {
  if (const std::int64_t available = availableMemory(); available > 0 && needed > available)
    throw Error(ErrorKind::Memory,
                "the run needs " + mebibytes(needed) + " and " + mebibytes(available) + " of memory are free",
                "run fewer filters at once, or choose a smaller output type");
}

void* allocateAligned(std::size_t bytes) {
  const std::size_t alignment = bytes >= 2 * kLargePage ? kLargePage : kAlignment;
  const std::size_t padded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, padded);
  if (memory != nullptr && alignment == kLargePage) ::madvise(memory, padded, MADV_HUGEPAGE);  // only advice: may fail
  return memory;
}

}  // namespace sscope
