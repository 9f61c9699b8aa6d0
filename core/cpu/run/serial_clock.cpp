#include "core/cpu/run/serial_clock.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/base/stopwatch.h"

namespace sscope::cpu {

double serialMegahertz() {
#if defined(__x86_64__)
  constexpr int kRounds = 2000, kInRound = 8, kCycles = 3;
  double best = std::numeric_limits<double>::max();
  // The shortest of several: another program may interrupt some.
  for (int attempt = 0; attempt < 10; ++attempt) {
    std::uint64_t value = 3, rounds = kRounds;
    const Stopwatch watch;
    asm volatile(
        "1:\n\t"
        "imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0\n\t"
        "imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0\n\t"
        "dec %1\n\tjnz 1b"
        : "+r"(value), "+r"(rounds)
        :
        : "cc");
    best = std::min(best, watch.seconds());
  }
  return best > 0 ? 1e-6 * kRounds * kInRound * kCycles / best : 0;
#else
  return 0;
#endif
}

}  // namespace sscope::cpu
