#include "core/cpu/run/ceilings.h"

#include <unistd.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <ctime>
#include <functional>
#include <thread>
#include <vector>
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

namespace {

// Calls work(thread) on every thread at the same moment and gives the seconds from the first to begin to the last to
// end. The threads read the clock themselves: one that only watched might be held up and see too short a time.
double together(int threads, const std::function<void(int)>& work) {
  using Clock = std::chrono::steady_clock;
  std::barrier start(threads);
  std::vector<Clock::time_point> begin(static_cast<std::size_t>(threads)), end(begin.size());
  {
    std::vector<std::jthread> team;
    for (int t = 0; t < threads; ++t)
      team.emplace_back([&, t] {
        start.arrive_and_wait();
        begin[static_cast<std::size_t>(t)] = Clock::now();
        work(t);
        end[static_cast<std::size_t>(t)] = Clock::now();
      });
  }
  return std::chrono::duration<double>(*std::max_element(end.begin(), end.end()) -
                                       *std::min_element(begin.begin(), begin.end()))
      .count();
}

// Short bursts of multiply-adds; the best one counts: a ceiling is what the machine can do, not what others left of it.
template <class T>
class Arithmetic {
 public:
  Arithmetic(const PrecisionKernels<T>& kernels, int threads, const Control& control)
      : kernels_(kernels), operations_(static_cast<std::size_t>(threads)) {
    while (run() < kBurstSeconds) {
      control.check();
      rounds_ *= 2;
    }
  }

  void burst() {
    const double seconds = run();
    double sum = 0;
    for (const double o : operations_) sum += o;
    best_ = std::max(best_, sum / seconds * 1e-9);
  }
  [[nodiscard]] double gflops() const { return best_; }

 private:
  static constexpr double kBurstSeconds = 0.006;  // shorter than the slice of time another program may take

  double run() {
    return together(static_cast<int>(operations_.size()), [&](int t) {
      T sink = static_cast<T>(0.5);
      operations_[static_cast<std::size_t>(t)] = kernels_.multiplyAdd(rounds_, &sink);
      if (!(sink > -1)) operations_[static_cast<std::size_t>(t)] = 0;  // keeps the sums alive; never true
    });
  }

  const PrecisionKernels<T>& kernels_;
  std::vector<double> operations_;
  std::int64_t rounds_ = 10000;
  double best_ = 0;
};

// Bytes of each of the two arrays: well beyond the last cache, but never more than an eighth of the free memory.
std::int64_t copyBytes() {
  const std::int64_t wanted = std::max<std::int64_t>(256ll << 20, 3 * ::sysconf(_SC_LEVEL3_CACHE_SIZE));
  const std::int64_t free = static_cast<std::int64_t>(::sysconf(_SC_AVPHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
  return std::min(wanted, free / 8) / 4096 * 4096;
}

class Copying {
 public:
  Copying(const KernelTable& kernels, int threads, const Control& control)
      : kernels_(kernels), threads_(threads), control_(control), bytes_(copyBytes()), from_(bytes_), to_(bytes_) {
    inPieces([&](std::int64_t begin, std::int64_t count) {  // every thread touches its own pages first
      std::fill_n(source() + begin, count, 1.0F);
      std::fill_n(target() + begin, count, 0.0F);
    });
  }

  void burst() {
    const double seconds = inPieces(
        [&](std::int64_t begin, std::int64_t count) { kernels_.copy(source() + begin, target() + begin, count); });
    control_.check();  // a run that was stopped midway counts for nothing
    best_ = std::max(best_, 2.0 * static_cast<double>(bytes_) / seconds * 1e-9);
  }
  [[nodiscard]] double gbs() const { return best_; }

 private:
  static constexpr std::int64_t kPiece = 4 << 20;  // elements between two looks at the control

  [[nodiscard]] float* source() const { return reinterpret_cast<float*>(from_.data()); }
  [[nodiscard]] float* target() const { return reinterpret_cast<float*>(to_.data()); }
  double inPieces(const std::function<void(std::int64_t begin, std::int64_t count)>& work) const {
    const auto part = [&](int t) { return bytes_ / 4 / 64 * t / threads_ * 64; };
    return together(threads_, [&](int t) {
      for (std::int64_t i = part(t); i < part(t + 1) && !control_.stopRequested(); i += kPiece)
        work(i, std::min(kPiece, part(t + 1) - i));
    });
  }

  const KernelTable& kernels_;
  int threads_;
  const Control& control_;
  std::int64_t bytes_;
  Scratch from_, to_;
  double best_ = 0;
};

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

}  // namespace

// Bursts of all three take turns over the whole time, so that a while of other work spoils some of each, not all of
// one.
Ceilings measureCeilings(const KernelTable& kernels, int threads, const Control& control) {
  constexpr int kRounds = 6, kBurstsPerRound = 4;
  control.report(0, "ceilings");
  control.check();
  Arithmetic<float> f32(kernels.f32, threads, control);
  Arithmetic<double> f64(kernels.f64, threads, control);
  Copying copy(kernels, threads, control);
  for (int round = 0; round < kRounds; ++round) {
    control.report(static_cast<double>(round) / kRounds, "multiply-adds and memory bandwidth");
    for (int i = 0; i < kBurstsPerRound; ++i) {
      control.check();
      f32.burst();
      f64.burst();
    }
    copy.burst();
  }
  Ceilings ceilings;
  ceilings.threads = threads;
  ceilings.gflopsF32 = f32.gflops();
  ceilings.gflopsF64 = f64.gflops();
  ceilings.gbs = copy.gbs();
  ceilings.date = today();
  control.report(1, "done");
  return ceilings;
}

}  // namespace sscope::cpu
