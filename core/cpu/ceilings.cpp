#include "core/cpu/ceilings.h"

#include <unistd.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <ctime>
#include <functional>
#include <thread>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/cpu/tile_step.h"

namespace sscope::cpu {

namespace {

// Calls work(thread) on every thread at the same moment and gives the seconds until the last is done.
double together(int threads, const std::function<void(int)>& work) {
  std::barrier start(threads + 1), finish(threads + 1);
  std::vector<std::jthread> team;
  for (int t = 0; t < threads; ++t)
    team.emplace_back([&, t] {
      start.arrive_and_wait();
      work(t);
      finish.arrive_and_wait();
    });
  start.arrive_and_wait();
  const Stopwatch clock;
  finish.arrive_and_wait();
  return clock.seconds();
}

// The best of several short runs: a ceiling is what the machine can do, not what others left of it.
template <class T>
double measureGflops(const PrecisionKernels<T>& kernels, int threads, const Control& control) {
  constexpr int kRuns = 6;
  constexpr double kRunSeconds = 0.03;
  std::vector<double> operations(static_cast<std::size_t>(threads));
  const auto run = [&](std::int64_t rounds) {
    return together(threads, [&](int t) {
      T sink = static_cast<T>(0.5);
      operations[static_cast<std::size_t>(t)] = kernels.multiplyAdd(rounds, &sink);
      if (!(sink > -1)) operations[static_cast<std::size_t>(t)] = 0;  // keeps the sums alive; never true
    });
  };
  std::int64_t rounds = 10000;
  while (run(rounds) < kRunSeconds) {
    control.check();
    rounds *= 2;
  }
  double best = 0;
  for (int i = 0; i < kRuns; ++i) {
    control.check();
    const double seconds = run(rounds);
    double sum = 0;
    for (const double o : operations) sum += o;
    best = std::max(best, sum / seconds * 1e-9);
  }
  return best;
}

// Bytes of each of the two arrays: well beyond the last cache, but never more than an eighth of the free memory.
std::int64_t copyBytes() {
  const std::int64_t wanted = std::max<std::int64_t>(256ll << 20, 3 * ::sysconf(_SC_LEVEL3_CACHE_SIZE));
  const std::int64_t free = static_cast<std::int64_t>(::sysconf(_SC_AVPHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
  return std::min(wanted, free / 8) / 4096 * 4096;
}

double measureCopy(const KernelTable& kernels, int threads, const Control& control) {
  constexpr int kRuns = 4;
  constexpr std::int64_t kPiece = 4 << 20;  // elements between two looks at the control
  const std::int64_t bytes = copyBytes();
  const Scratch from(bytes), to(bytes);
  auto* source = reinterpret_cast<float*>(from.data());
  auto* target = reinterpret_cast<float*>(to.data());
  const auto part = [&](int t) { return bytes / 4 / 64 * t / threads * 64; };
  const auto inPieces = [&](const std::function<void(std::int64_t begin, std::int64_t count)>& work) {
    return together(threads, [&](int t) {
      for (std::int64_t i = part(t); i < part(t + 1) && !control.stopRequested(); i += kPiece)
        work(i, std::min(kPiece, part(t + 1) - i));
    });
  };
  inPieces([&](std::int64_t begin, std::int64_t count) {  // every thread touches its own pages first
    std::fill_n(source + begin, count, 1.0F);
    std::fill_n(target + begin, count, 0.0F);
  });
  double best = 0;
  for (int i = 0; i < kRuns; ++i) {
    control.check();
    const double seconds =
        inPieces([&](std::int64_t begin, std::int64_t count) { kernels.copy(source + begin, target + begin, count); });
    best = std::max(best, 2.0 * static_cast<double>(bytes) / seconds * 1e-9);
  }
  control.check();  // a run that was stopped midway counts for nothing
  return best;
}

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

}  // namespace

Ceilings measureCeilings(const KernelTable& kernels, int threads, const Control& control) {
  Ceilings ceilings;
  ceilings.threads = threads;
  control.report(0, "multiply-adds, f32");
  ceilings.gflopsF32 = measureGflops(kernels.f32, threads, control);
  control.report(0.25, "multiply-adds, f64");
  ceilings.gflopsF64 = measureGflops(kernels.f64, threads, control);
  control.report(0.5, "memory bandwidth");
  ceilings.gbs = measureCopy(kernels, threads, control);
  ceilings.date = today();
  control.report(1, "done");
  return ceilings;
}

}  // namespace sscope::cpu
