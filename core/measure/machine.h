#pragma once
// The machine that the measurements were taken on.

#include <cstdint>
#include <string>

namespace sscope {

struct Machine {
  std::string host;
  std::string cpu;                  // "Intel(R) Xeon(R) Processor", "unknown" when the system does not report it
  int threads = 1;                  // hardware threads this process may use
  std::string os;                   // "Debian GNU/Linux 12 (bookworm), Linux 6.1.0"
  std::int64_t memoryBytes = 0;     // 0: unknown
  std::int64_t lastCacheBytes = 0;  // the last cache level of one processor; 0: unknown
};

[[nodiscard]] Machine thisMachine();

// The time now, in UTC: "2026-03-01T12:00:00Z".
[[nodiscard]] std::string isoTime();

}  // namespace sscope
