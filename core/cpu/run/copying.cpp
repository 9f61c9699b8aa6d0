#include "core/cpu/run/copying.h"

#include <unistd.h>

#include <algorithm>

#include "core/cpu/run/together.h"

namespace sscope::cpu {

std::int64_t Copying::enough(int sharers) {
  constexpr std::int64_t kLeast = 256 << 20, kLeastEach = 32 << 20;
  const std::int64_t wanted = std::max<std::int64_t>(kLeast, 3 * ::sysconf(_SC_LEVEL3_CACHE_SIZE));
  const std::int64_t free = static_cast<std::int64_t>(::sysconf(_SC_AVPHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
  return std::min(std::max(wanted / sharers, std::min(wanted, kLeastEach)), free / 8 / sharers) / 4096 * 4096;
}

Copying::Copying(const KernelTable& kernels, int threads, std::int64_t bytes, const Control& control)
    : kernels_(kernels), threads_(threads), control_(control), bytes_(bytes), from_(bytes_), to_(bytes_) {
  inPieces([&](std::int64_t begin, std::int64_t count) {  // every thread touches its own pages first
    std::fill_n(source() + begin, count, 1.0F);
    std::fill_n(target() + begin, count, 0.0F);
  });
}

double Copying::burst() {
  const double seconds = inPieces(
      [&](std::int64_t begin, std::int64_t count) { kernels_.copy(source() + begin, target() + begin, count); });
  control_.check();  // a run that was stopped midway counts for nothing
  best_ = std::max(best_, bytes() / seconds * 1e-9);
  return seconds;
}

double Copying::inPieces(const std::function<void(std::int64_t begin, std::int64_t count)>& work) const {
  constexpr std::int64_t kPiece = 4 << 20;  // elements between two looks at the control
  const auto part = [&](int t) { return bytes_ / 4 / 64 * t / threads_ * 64; };
  return together(threads_, [&](int t) {
    for (std::int64_t i = part(t); i < part(t + 1) && !control_.stopRequested(); i += kPiece)
      work(i, std::min(kPiece, part(t + 1) - i));
  });
}

}  // namespace sscope::cpu
