#include "core/reach/rates.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/cpu/run/ceilings.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/cpu/run/threads.h"
#include "core/measure/statistics.h"
#include "core/parts/agreed.h"

namespace sscope::reach {

namespace {

double copyByProcessor(Communicator& communicator, const cpu::CpuEngine& engine, int threads, const Control& control) {
  constexpr int kRounds = 7;
  cpu::Copying copy(engine.kernels(), cpu::threadCount(threads), cpu::Copying::enough(communicator.localSize()),
                    control);
  double best = 0;
  for (int round = 0; round < kRounds; ++round) {
    communicator.barrier(control);
    const std::array<double, 2> own{copy.burst(), copy.bytes()};
    const std::vector<double> all = communicator.gather(own, control);
    double seconds = 0, bytes = 0;
    for (std::size_t i = 0; i < all.size(); i += 2) {
      seconds = std::max(seconds, all[i]);
      bytes += all[i + 1];
    }
    best = std::max(best, bytes / seconds * 1e-9);
  }
  return best;
}

// Ranks that share a device measure it at about the same time.
double copyByDevices(Communicator& communicator, Engine& engine, const Control& control) {
  communicator.barrier(control);
  const double own = engine.measureCeilings(0, control).gbs;
  double sum = 0;
  for (const double each : communicator.gather({&own, 1}, control)) sum += each;
  return sum;
}

}  // namespace

double copyTogether(Communicator& communicator, Engine& engine, int threads, const Control& control) {
  const Control quiet{control.stop, {}};
  const auto* processor = engineIf<cpu::CpuEngine>(engine);
  return processor != nullptr ? copyByProcessor(communicator, *processor, threads, quiet)
                              : copyByDevices(communicator, engine, quiet);
}

namespace {

constexpr double kBurstSeconds = 0.03;  // much longer than ranks leave a barrier apart
constexpr std::int64_t kLeastRounds = 10000;

class Arithmetic {
 public:
  Arithmetic(const cpu::CpuEngine& engine, int threads)
      : kernels_(engine.kernels().f32), operations_(static_cast<std::size_t>(cpu::threadCount(threads))) {}

  // Seconds of so many rounds on every thread, and the operations of all.
  std::array<double, 2> burst(std::int64_t rounds) {
    const double seconds = cpu::together(static_cast<int>(operations_.size()), [&](int thread) {
      float sink = 0.5F;
      const double operations = kernels_.multiplyAdd(rounds, &sink);
      operations_[static_cast<std::size_t>(thread)] = sink > -1 ? operations : 0;  // keeps the sums alive; always true
    });
    double sum = 0;
    for (const double each : operations_) sum += each;
    return {seconds, sum};
  }

 private:
  const cpu::PrecisionKernels<float>& kernels_;
  std::vector<double> operations_;
};

// Of all ranks: the longest time, and the sum of the operations.
std::array<double, 2> burstOfAll(Communicator& communicator, Arithmetic& arithmetic, std::int64_t rounds,
                                 const Control& control) {
  communicator.barrier(control);
  const std::vector<double> all = communicator.gather(arithmetic.burst(rounds), control);
  std::array<double, 2> result{};
  for (std::size_t i = 0; i < all.size(); i += 2) {
    result[0] = std::max(result[0], all[i]);
    result[1] += all[i + 1];
  }
  return result;
}

}  // namespace

double computeTogether(Communicator& communicator, Engine& engine, int threads, const Control& control) {
  constexpr int kBursts = 7;
  const Control quiet{control.stop, {}};
  const auto* processor = engineIf<cpu::CpuEngine>(engine);
  if (!everywhere(processor != nullptr, communicator, quiet)) return 0;
  Arithmetic arithmetic(*processor, threads);
  std::int64_t rounds = kLeastRounds;
  while (burstOfAll(communicator, arithmetic, rounds, quiet)[0] < kBurstSeconds) rounds *= 2;
  double best = 0;
  for (int i = 0; i < kBursts; ++i) {
    const auto [seconds, operations] = burstOfAll(communicator, arithmetic, rounds, quiet);
    best = std::max(best, operations / seconds * 1e-9);
  }
  return best;
}

namespace {

constexpr int kAttempts = 11, kShortRuns = 50, kLongRuns = 3, kRing = 7;
constexpr std::size_t kShort = 8, kLong = std::size_t{4} << 20;

// Median seconds of one run of `work`, of the slowest rank.
template <class Work>
double secondsOf(int runs, Communicator& communicator, const Control& control, Work&& work) {
  std::vector<double> samples;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    communicator.barrier(control);
    const Stopwatch watch;
    for (int run = 0; run < runs; ++run) work();
    const double own = watch.seconds() / runs;
    const std::vector<double> all = communicator.gather({&own, 1}, control);
    samples.push_back(*std::max_element(all.begin(), all.end()));
  }
  return medianOf(samples);
}

}  // namespace

ExchangeRates measureExchange(Communicator& communicator, const Control& control) {
  ExchangeRates rates;
  rates.ranks = communicator.size();
  if (rates.ranks == 1) return rates;
  const int rank = communicator.rank(), next = (rank + 1) % rates.ranks;
  const int before = (rank + rates.ranks - 1) % rates.ranks;
  struct Memory {
    std::vector<std::byte> out, in;
  };
  const auto memory = std::make_shared<Memory>(std::vector(kLong, std::byte{1}), std::vector<std::byte>(kLong));
  const auto shift = [&](std::size_t bytes) {
    const Send send{next, kRing, std::span(memory->out).first(bytes)};
    const Receive receive{before, kRing, std::span(memory->in).first(bytes)};
    communicator.begin({&send, 1}, {&receive, 1}, memory)->end(control);
  };
  shift(kLong);  // connections are made with the first messages
  rates.latency = secondsOf(kShortRuns, communicator, control, [&] { shift(kShort); });
  const double seconds = secondsOf(kLongRuns, communicator, control, [&] { shift(kLong); });
  rates.bandwidth = static_cast<double>(kLong) / std::max(seconds - rates.latency, 1e-9);
  rates.sum = secondsOf(kShortRuns, communicator, control, [&] {
    const double one = 1;
    static_cast<void>(communicator.gather({&one, 1}, control));
  });
  return rates;
}

}  // namespace sscope::reach
