#include "core/lattice/correlator.h"

#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "core/lattice/fields.h"

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

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kLargestMass = 20;
constexpr int kHalvings = 80;

// The mass for which the values at times a and b, counted from the middle, have this ratio; found by bisection, because
// the ratio moves away from 1 as the mass grows.
double massOf(double ratio, double a, double b) {
  // cosh(m a) / cosh(m b), without overflow.
  const auto excess = [&](double m) {
    return std::exp(m * (std::abs(a) - std::abs(b))) * (1 + std::exp(-2 * m * std::abs(a))) /
               (1 + std::exp(-2 * m * std::abs(b))) -
           ratio;
  };
  double low = 0, high = kLargestMass;
  if (!(excess(low) * excess(high) < 0)) return kNone;
  const bool rising = excess(high) > 0;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = (low + high) / 2;
    ((excess(middle) > 0) == rising ? high : low) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

std::vector<double> effectiveMass(const std::vector<double>& correlator) {
  const auto times = static_cast<double>(correlator.size());
  std::vector<double> masses;
  for (std::size_t t = 0; t + 1 < correlator.size(); ++t) {
    const double a = static_cast<double>(t) - times / 2;
    masses.push_back(massOf(correlator[t] / correlator[t + 1], a, a + 1));
  }
  return masses;
}

std::vector<double> logarithmicMass(const std::vector<double>& correlator) {
  std::vector<double> masses;
  for (std::size_t t = 0; t + 1 < correlator.size(); ++t) {
    const double ratio = correlator[t] / correlator[t + 1];
    masses.push_back(ratio > 0 && std::isfinite(ratio) ? std::log(ratio) : kNone);
  }
  return masses;
}

namespace {

struct Momenta {
  std::vector<double> cosines, sines;
};

Momenta momentaOf(int extent, bool antiperiodic) {
  Momenta momenta;
  for (int n = 0; n < extent; ++n) {
    const double p = 2 * std::numbers::pi * (n + (antiperiodic ? 0.5 : 0.0)) / extent;
    momenta.cosines.push_back(std::cos(p));
    momenta.sines.push_back(std::sin(p));
  }
  return momenta;
}

// exp(i p_t t), one row for each time.
std::vector<Complex> wavesOf(int times, bool antiperiodic) {
  std::vector<Complex> waves;
  for (int t = 0; t < times; ++t)
    for (int n = 0; n < times; ++n)
      waves.push_back(std::polar(1.0, 2 * std::numbers::pi * (n + (antiperiodic ? 0.5 : 0.0)) * t / times));
  return waves;
}

}  // namespace

std::vector<double> freePionCorrelator(const Lattice& lattice, const WilsonParameters& parameters,
                                       const Control& control) {
  const int times = lattice.extent(3);
  const bool antiperiodic = parameters.timeBoundary < 0;
  const std::array<Momenta, kDirections> momenta{momentaOf(lattice.extent(0), false),
                                                 momentaOf(lattice.extent(1), false),
                                                 momentaOf(lattice.extent(2), false), momentaOf(times, antiperiodic)};
  const std::vector<Complex> waves = wavesOf(times, antiperiodic);
  const auto T = static_cast<std::size_t>(times);
  std::vector<double> correlator(T);
  // For one momentum in space and each energy: the parts of the propagator along 1, along all spatial gammas together
  // (only their sum of squares matters), and along gamma_t.
  std::vector<std::array<double, 3>> parts(T);
  for (std::int64_t site = 0; site < lattice.spatialVolume(); ++site) {
    if (site % 256 == 0) control.check();
    double cosines = 0, sines = 0;
    for (std::size_t mu = 0; mu < 3; ++mu) {
      const auto n = static_cast<std::size_t>(lattice.coordinate(site, static_cast<int>(mu)));
      cosines += momenta[mu].cosines[n];
      sines += momenta[mu].sines[n] * momenta[mu].sines[n];
    }
    for (std::size_t n = 0; n < T; ++n) {
      const double sine = momenta[3].sines[n], twice = 2 * parameters.kappa;
      const double a = 1 - twice * (cosines + momenta[3].cosines[n]);
      const double below = a * a + twice * twice * (sines + sine * sine);
      parts[n] = {a / below, twice * std::sqrt(sines) / below, twice * sine / below};
    }
    for (std::size_t t = 0; t < T; ++t) {
      std::array<Complex, 3> sums{};
      for (std::size_t n = 0; n < T; ++n)
        for (std::size_t k = 0; k < 3; ++k) sums[k] += waves[t * T + n] * parts[n][k];
      // tr 1 = 4 spins, 3 colors.
      for (const Complex& sum : sums) correlator[t] += kSpinorElements * std::norm(sum);
    }
  }
  // 1/T^2 of the two sums over energies, 1/V of Parseval's sum over space.
  const double scale = 1.0 / (static_cast<double>(T * T) * static_cast<double>(lattice.spatialVolume()));
  for (double& value : correlator) value *= scale;
  return correlator;
}

}  // namespace sscope::lattice
