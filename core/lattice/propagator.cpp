#include "core/lattice/propagator.h"

namespace sscope::lattice {

void addToPionCorrelator(const Lattice& lattice, const SpinorField& solution, int sourceTime,
                         std::vector<double>& correlator) {
  const int times = lattice.extent(3);
  correlator.resize(static_cast<std::size_t>(times));
  const auto slice = static_cast<std::size_t>(lattice.spatialVolume()) * kSpinorElements;
  for (int t = 0; t < times; ++t) {
    double sum = 0;
    const std::size_t begin = slice * static_cast<std::size_t>((t + sourceTime) % times);
    for (std::size_t k = begin; k < begin + slice; ++k) sum += std::norm(solution[k]);
    correlator[static_cast<std::size_t>(t)] += sum;
  }
}

}  // namespace sscope::lattice
