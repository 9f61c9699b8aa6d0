#include "core/base/memory.h"

#include <fstream>
#include <limits>
#include <string>

#include "core/base/error.h"

namespace sscope {

namespace {

std::string mebibytes(std::int64_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB"; }

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

void requireMemory(std::int64_t needed) {
  const std::int64_t available = availableMemory();
  if (available > 0 && needed > available)
    throw Error(ErrorKind::Memory,
                "the run needs " + mebibytes(needed) + " and " + mebibytes(available) + " of memory are free",
                "run fewer filters at once, or choose a smaller output type");
}

}  // namespace sscope
