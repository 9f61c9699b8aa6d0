#include "core/lattice/propagator.h"

#include <cmath>
#include <limits>

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

std::vector<double> effectiveMass(const std::vector<double>& correlator) {
  const auto times = static_cast<double>(correlator.size());
  std::vector<double> masses;
  for (std::size_t t = 0; t + 1 < correlator.size(); ++t) {
    const double a = static_cast<double>(t) - times / 2, b = a + 1;
    const double ratio = correlator[t] / correlator[t + 1];
    // cosh(m a) / cosh(m b), without overflow; it moves away from 1 as m grows.
    const auto excess = [&](double m) {
      return std::exp(m * (std::abs(a) - std::abs(b))) * (1 + std::exp(-2 * m * std::abs(a))) /
                 (1 + std::exp(-2 * m * std::abs(b))) -
             ratio;
    };
    double low = 0, high = 20;
    if (!(excess(low) * excess(high) < 0)) {
      masses.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const bool rising = excess(high) > 0;
    for (int k = 0; k < 80; ++k) {
      const double middle = (low + high) / 2;
      ((excess(middle) > 0) == rising ? high : low) = middle;
    }
    masses.push_back((low + high) / 2);
  }
  return masses;
}

}  // namespace sscope::lattice
