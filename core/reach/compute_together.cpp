#include "core/reach/compute_together.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/cpu/run/cpu_engine.h"
#include "core/cpu/run/threads.h"
#include "core/cpu/run/together.h"
#include "core/parts/agreed.h"

namespace sscope::reach {

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
  const auto* processor = dynamic_cast<const cpu::CpuEngine*>(&engine);
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

}  // namespace sscope::reach
