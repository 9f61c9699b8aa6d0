#include "core/reach/copy_together.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/cpu/run/copying.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/cpu/run/threads.h"

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
  const auto* processor = dynamic_cast<const cpu::CpuEngine*>(&engine);
  return processor != nullptr ? copyByProcessor(communicator, *processor, threads, quiet)
                              : copyByDevices(communicator, engine, quiet);
}

}  // namespace sscope::reach
