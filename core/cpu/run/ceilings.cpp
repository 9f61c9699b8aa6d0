#include "core/cpu/run/ceilings.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/cpu/run/scratch.h"
#include "core/cpu/run/threads.h"

namespace sscope::cpu {

namespace {

// Short bursts of a loop on every thread; the best one counts: a ceiling is what the machine can do, not what others
// left of it. `loop(thread, rounds)` gives the operations, or bytes, of so many rounds.
class Bursts {
 public:
  using Loop = std::function<double(int thread, std::int64_t rounds)>;
  // `least` rounds take less than a burst. Of two runs one may be long because others had the processor.
  Bursts(int threads, std::int64_t least, Loop loop, const Control& control)
      : loop_(std::move(loop)), work_(static_cast<std::size_t>(threads)), rounds_(least) {
    while (std::min(run(), run()) < kBurstSeconds) {
      control.check();
      rounds_ *= 2;
    }
  }

  void burst() {
    const double seconds = run();
    double sum = 0;
    for (const double work : work_) sum += work;
    best_ = std::max(best_, sum / seconds * 1e-9);
  }
  [[nodiscard]] double rate() const { return best_; }  // in thousand millions a second

 private:
  static constexpr double kBurstSeconds = 0.006;  // shorter than the slice of time another program may take

  double run() {
    return together(static_cast<int>(work_.size()),
                    [&](int t) { work_[static_cast<std::size_t>(t)] = loop_(t, rounds_); });
  }

  Loop loop_;
  std::vector<double> work_;
  std::int64_t rounds_;
  double best_ = 0;
};

template <class T>
Bursts::Loop arithmetic(const PrecisionKernels<T>& kernels) {
  return [&kernels](int, std::int64_t rounds) {
    T sink = static_cast<T>(0.5);
    const double operations = kernels.multiplyAdd(rounds, &sink);
    return sink > -1 ? operations : 0.0;  // keeps the sums alive; always true
  };
}

Bursts::Loop integers(const KernelTable& kernels) {
  return [&kernels](int, std::int64_t rounds) {
    std::int32_t sink = 3;
    const double operations = kernels.multiplyAddIntegers(rounds, &sink);
    return sink == std::numeric_limits<std::int32_t>::min() ? 0.0 : operations;  // keeps the sums alive; never true
  };
}

// A pass of a filter along one axis over rows that stay in the first-level cache.
class LoadedRows {
 public:
  LoadedRows(const PrecisionKernels<float>& kernels, int threads)
      : kernels_(kernels), row_(kVectors * kernels.lanes + kMostLanes), taps_(kTaps, 1.0F / kTaps) {
    for (int t = 0; t < threads; ++t) {
      scratch_.emplace_back(4 * row_ * (kRows + kTaps - 1 + kRows));
      std::fill_n(reinterpret_cast<float*>(scratch_.back().data()), row_ * (kRows + kTaps - 1 + kRows), 1.0F);
    }
  }
  [[nodiscard]] double operator()(int thread, std::int64_t rounds) const {
    auto* const in = reinterpret_cast<float*>(scratch_[static_cast<std::size_t>(thread)].data());
    Correlation<float> job;
    job.in = in;
    job.inRow = job.outRow = row_;
    job.out = in + row_ * (kRows + kTaps - 1);
    job.rows = kRows;
    job.vectors = kVectors;
    job.taps = taps_.data();
    job.ky = kTaps;
    for (std::int64_t r = 0; r < rounds; ++r) kernels_.correlate(job);
    return 2.0 * kTaps * static_cast<double>(kRows * kVectors * kernels_.lanes * rounds);
  }

 private:
  static constexpr std::int64_t kRows = 8, kTaps = 15, kMostLanes = 16, kVectors = 12;
  const PrecisionKernels<float>& kernels_;
  std::int64_t row_;
  std::vector<float> taps_;
  std::vector<Scratch> scratch_;
};

// Copies from one quarter of a core's second-level cache to another.
class CacheCopy {
 public:
  explicit CacheCopy(int threads) : bytes_(static_cast<std::size_t>(tileLimits(threads).cacheBytes / 4 / 4096 * 4096)) {
    for (int t = 0; t < threads; ++t) {
      scratch_.emplace_back(2 * static_cast<std::int64_t>(bytes_));
      std::fill_n(scratch_.back().data(), 2 * bytes_, std::byte{1});
    }
  }
  [[nodiscard]] double operator()(int thread, std::int64_t rounds) const {
    std::byte* const at = scratch_[static_cast<std::size_t>(thread)].data();
    for (std::int64_t r = 0; r < rounds; ++r)
      std::memcpy(at + (r % 2 == 0 ? bytes_ : 0), at + (r % 2 == 0 ? 0 : bytes_), bytes_);
    return 2.0 * static_cast<double>(bytes_) * static_cast<double>(rounds);
  }

 private:
  std::size_t bytes_;
  std::vector<Scratch> scratch_;
};

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

}  // namespace

// Bursts of all take turns over the whole time, so that a while of other work spoils some of each, not all of
// one.
Ceilings measureCeilings(const KernelTable& kernels, int threads, const Control& control) {
  constexpr int kRounds = 6, kBurstsPerRound = 4;
  control.report(0, "ceilings");
  control.check();
  const LoadedRows rows(kernels.f32, threads);
  const CacheCopy cache(threads);
  Bursts f32(threads, 10000, arithmetic(kernels.f32), control), f64(threads, 10000, arithmetic(kernels.f64), control);
  Bursts whole(threads, 10000, integers(kernels), control), loaded(threads, 200, std::cref(rows), control);
  Bursts cached(threads, 16, std::cref(cache), control);
  Copying copy(kernels, threads, Copying::enough(), control);
  for (int round = 0; round < kRounds; ++round) {
    control.report(static_cast<double>(round) / kRounds, "multiply-adds and memory bandwidth");
    for (int i = 0; i < kBurstsPerRound; ++i) {
      control.check();
      for (Bursts* one : {&f32, &f64, &loaded, &whole, &cached}) one->burst();
    }
    copy.burst();
  }
  Ceilings ceilings;
  ceilings.threads = threads;
  ceilings.gflopsF32 = f32.rate();
  ceilings.gflopsF64 = f64.rate();
  ceilings.gbs = copy.gbs();
  ceilings.gflopsLoaded = loaded.rate();
  ceilings.gopsInteger = whole.rate();
  ceilings.gbsCache = cached.rate();
  ceilings.date = today();
  control.report(1, "done");
  return ceilings;
}

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
