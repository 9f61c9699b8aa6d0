#include "core/base/resident_memory.h"

#include <fstream>
#include <string>
#include <string_view>

namespace sscope {

namespace {

// "VmRSS:     1234 kB".
std::int64_t statusBytes(std::string_view name) {
  std::ifstream status("/proc/self/status");
  constexpr std::int64_t kKibibyte = 1024;
  for (std::string word; status >> word;) {
    std::int64_t value = 0;
    if (word == name && status >> value) return value * kKibibyte;
  }
  return 0;
}

}  // namespace

std::int64_t residentMemory() { return statusBytes("VmRSS:"); }
std::int64_t peakResidentMemory() { return statusBytes("VmHWM:"); }

}  // namespace sscope
