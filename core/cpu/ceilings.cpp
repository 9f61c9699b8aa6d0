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
  const std::int64_t bytes = copyBytes();
  const Scratch from(bytes), to(bytes);
  const std::int64_t elements = bytes / 4;
  const auto part = [&](int t) { return elements / 64 * t / threads * 64; };
  const auto* source = reinterpret_cast<const float*>(from.data());
  auto* target = reinterpret_cast<float*>(to.data());
  together(threads, [&](int t) {  // every thread touches its own pages first
    std::fill(reinterpret_cast<float*>(from.data()) + part(t), reinterpret_cast<float*>(from.data()) + part(t + 1),
              1.0F);
    std::fill(target + part(t), target + part(t + 1), 0.0F);
  });
  double best = 0;
  for (int i = 0; i < kRuns; ++i) {
    control.check();
    const double seconds =
        together(threads, [&](int t) { kernels.copy(source + part(t), target + part(t), part(t + 1) - part(t)); });
    best = std::max(best, 2.0 * static_cast<double>(bytes) / seconds * 1e-9);
  }
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
